// The first interrupt asks a search for an end; the second is as ever.
#pragma once

#include <csignal>

namespace holdfast::verify::cli {

class Interrupts {
 public:
  Interrupts() {
    struct sigaction ours = {};
    ours.sa_handler = [](int) { came_ = 1; };
    ours.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &ours, &before_);
  }
  ~Interrupts() { ::sigaction(SIGINT, &before_, nullptr); }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  static bool came() { return came_ != 0; }

 private:
  static inline volatile std::sig_atomic_t came_ = 0;
  struct sigaction before_ = {};
};

}  // namespace holdfast::verify::cli
