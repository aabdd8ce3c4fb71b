#include "cluster/ranks.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

// Compiled into daelab_mpi alone.
namespace daelab {
namespace {

using Clock = std::chrono::steady_clock;

enum Tag : int { work_tag = 1, part_tag, result_tag, failure_tag };  // a part: more of the lot follows

// A lot of pieces takes about this long: messages cost microseconds, and the last lots end together.
constexpr double lot_seconds = 0.03;
constexpr std::size_t most_in_lot = 512;
constexpr std::size_t most_bytes = 1 << 24;  // of a message: MPI counts them as int
// How long an idle rank sleeps between two looks: MPI itself waits by using a processor.
constexpr std::chrono::microseconds nap(100);

struct Message {
  int from = 0, tag = 0;
  std::string bytes;
};

std::optional<Message> receive(int from = MPI_ANY_SOURCE) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (!there) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message message{status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.from, message.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return message;
}

void send(int to, int tag, const std::string& bytes) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

// Messages on their way: the manager goes on receiving meanwhile. Had it to wait for a worker to take a lot while that
// worker waits for it to take results, both would wait for ever.
class Outbox {
 public:
  void send(int to, int tag, std::string bytes) {
    std::erase_if(messages_, [](Outgoing& message) { return message.arrived(); });
    messages_.push_back({std::move(bytes)});
    Outgoing& message = messages_.back();
    MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD,
              &message.request);
  }
  void wait() {
    while (!messages_.empty()) {
      std::erase_if(messages_, [](Outgoing& message) { return message.arrived(); });
      std::this_thread::sleep_for(nap);
    }
  }

 private:
  struct Outgoing {
    std::string bytes;  // stays where it is until they have arrived
    MPI_Request request = MPI_REQUEST_NULL;
    bool arrived() {
      int there = 0;
      MPI_Test(&request, &there, MPI_STATUS_IGNORE);
      return there != 0;
    }
  };
  std::list<Outgoing> messages_;
};

// Lists of pieces and of results as bytes.
void put(std::string& bytes, std::uint64_t x) { bytes.append(reinterpret_cast<const char*>(&x), sizeof x); }

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  bool at_end() const { return at_ == bytes_.size(); }
  std::uint64_t number() {
    std::uint64_t x = 0;
    std::memcpy(&x, bytes_.data() + at_, sizeof x);
    at_ += sizeof x;
    return x;
  }
  std::string text() {
    const std::size_t size = number();
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

class Manager {
 public:
  Manager(const RankWork& work, int ranks) : work_(work), workers_(static_cast<std::size_t>(ranks)) {}

  void run() {
    for (int lot = 0; lot < 2; ++lot)
      for (int rank = 1; rank < count(); ++rank) hand_out(rank);
    while (outstanding_ > 0)
      if (const std::optional<Message> message = receive())
        take(*message);
      else
        std::this_thread::sleep_for(nap);
    for (int rank = 1; rank < count(); ++rank) outbox_.send(rank, work_tag, "");  // no more
    outbox_.wait();
  }

 private:
  struct Worker {
    double seconds_per_piece = 0;  // of its last lot
  };

  int count() const { return static_cast<int>(workers_.size()); }

  std::size_t lot_size(const Worker& worker) const {
    if (worker.seconds_per_piece <= 0) return 1;
    const std::size_t left = work_.pieces.size() - next_, share = left / (4 * workers_.size()) + 1;
    const double fitting = lot_seconds / worker.seconds_per_piece;
    return std::clamp<std::size_t>(static_cast<std::size_t>(fitting), 1, std::min(share, most_in_lot));
  }

  void hand_out(int rank) {
    const std::size_t left = work_.pieces.size() - next_;
    if (left == 0 || work_.interrupted()) return;
    const std::size_t size = std::min(left, lot_size(workers_[static_cast<std::size_t>(rank)]));
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) put(bytes, work_.pieces[next_++]);
    ++outstanding_;
    outbox_.send(rank, work_tag, std::move(bytes));
  }

  void take(const Message& message) {
    if (message.tag == failure_tag) throw std::runtime_error(fmt::format("rank {}: {}", message.from, message.bytes));
    Reader reader(message.bytes);
    const double nanoseconds = static_cast<double>(reader.number());
    std::size_t pieces = 0;
    if (message.tag == result_tag) {
      --outstanding_;
      hand_out(message.from);  // before the disk is waited for
    }
    for (; !reader.at_end(); ++pieces) {
      const std::size_t piece = reader.number();
      work_.store(piece, reader.text());
    }
    if (pieces > 0)
      workers_[static_cast<std::size_t>(message.from)].seconds_per_piece =
          1e-9 * nanoseconds / static_cast<double>(pieces);
  }

  const RankWork& work_;
  std::vector<Worker> workers_;  // by rank; the manager's own is not used
  std::size_t next_ = 0;
  long outstanding_ = 0;  // lots
  Outbox outbox_;
};

// The results of a lot, each with its number, after the time they took.
std::string timed(Clock::time_point begin, const std::string& results) {
  std::string bytes;
  put(bytes, static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - begin).count()));
  return bytes + results;
}

// What was interrupted is left out.
void execute_lot(const RankWork& work, const std::string& lot) {
  Clock::time_point begin = Clock::now();
  std::string results;
  for (Reader pieces(lot); !pieces.at_end();) {
    const std::size_t piece = pieces.number();
    if (work.interrupted()) break;
    const std::string result = work.execute(piece);
    if (work.interrupted()) break;
    put(results, piece), put(results, result.size());
    results += result;
    if (results.size() < most_bytes || pieces.at_end()) continue;
    send(0, part_tag, timed(begin, results));
    results.clear(), begin = Clock::now();
  }
  send(0, result_tag, timed(begin, results));
}

void serve_manager(const RankWork& work) {
  for (;;) {
    const std::optional<Message> message = receive(0);
    if (!message) {
      std::this_thread::sleep_for(nap);
      continue;
    }
    if (message->bytes.empty()) return;
    try {
      execute_lot(work, message->bytes);
    } catch (const std::exception& error) {
      send(0, failure_tag, error.what());
    }
  }
}

// mpirun that is killed leaves its ranks behind: the result set would stay locked. What they have stored is whole.
void end_with_parent() {
  std::thread([parent = ::getppid()] {
    while (::getppid() == parent) std::this_thread::sleep_for(500 * nap);
    ::raise(SIGKILL);
  }).detach();
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    end_with_parent();
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }
  ~MpiRanks() override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int there = 0; !there; std::this_thread::sleep_for(10 * nap)) MPI_Test(&request, &there, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }
  int rank() const override { return rank_; }
  int count() const override { return count_; }

  void carry_out(const RankWork& work) override {
    if (!is_manager()) return serve_manager(work);
    if (count_ > 1) return Manager(work, count_).run();
    for (const std::size_t piece : work.pieces) {
      const std::string result = work.execute(piece);
      if (work.interrupted()) return;
      work.store(piece, result);
    }
  }
  void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::abort();
  }

 private:
  int rank_ = 0, count_ = 1;
};

const bool registered = [] {
  make_ranks = []() -> std::unique_ptr<Ranks> { return std::make_unique<MpiRanks>(); };
  return true;
}();

}  // namespace
}  // namespace daelab
