// The wish that a run should end. One is made for each run, or for several that answer one question; copies share the
// wish, so that whoever may end the run and the run itself hold it as long as they need. A wish that comes before the
// run has begun is there when it begins.
#pragma once

#include <atomic>
#include <memory>

namespace tengen::search {

class StopToken {
public:
    StopToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
    void stop() { flag_->store(true, std::memory_order_relaxed); }
    bool is_stopped() const { return flag_->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace tengen::search
