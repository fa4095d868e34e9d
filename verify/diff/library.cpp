#include "verify/diff/library.hpp"

#include "verify/diff/lockstep.hpp"

namespace holdfast::verify::diff {
namespace {

class Library : public Implementation {
 public:
  void joins(hunt::Watch& watch) override { watch.companion = &lockstep_; }
  [[nodiscard]] std::uint64_t events() const override { return lockstep_.events(); }

 private:
  Lockstep lockstep_;
};

}  // namespace

std::unique_ptr<Implementation> make_library() { return std::make_unique<Library>(); }

}  // namespace holdfast::verify::diff
