#include "modules/pdf_module.hpp"

#include <exception>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFWriter.hh>
#include <string>

const char* daelab_finish_pdf(const char* pdf, size_t size, const char* title,
                              void (*take)(void* context, const char* bytes, size_t size), void* context) {
  static thread_local std::string refusal;
  try {
    QPDF document;
    document.processMemoryFile("the drawing", pdf, size);
    QPDFObjectHandle info = QPDFObjectHandle::newDictionary();
    info.replaceKey("/Title", QPDFObjectHandle::newUnicodeString(title));
    info.replaceKey("/Creator", QPDFObjectHandle::newString("daelab"));
    info.replaceKey("/Producer", QPDFObjectHandle::newString("gnuplot, cairo, qpdf"));
    document.getTrailer().replaceKey("/Info", document.makeIndirectObject(info));
    QPDFWriter writer(document);
    writer.setOutputMemory();
    writer.setObjectStreamMode(qpdf_o_disable);  // the title is read by every program
    writer.setDeterministicID(true);
    writer.write();
    const auto bytes = writer.getBufferSharedPointer();
    take(context, reinterpret_cast<const char*>(bytes->getBuffer()), bytes->getSize());
    return nullptr;
  } catch (const std::exception& e) {
    refusal = e.what();
    return refusal.c_str();
  }
}
