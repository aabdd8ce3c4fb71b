#include <gmock/gmock.h>

#include "lab/runs/worker_threads.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  const daelab::WorkerThreads workers;
  return RUN_ALL_TESTS();
}
