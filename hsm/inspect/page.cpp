#include <hsm/inspect/page.hpp>

#include <hsm/inspect/detail/hub.hpp>
#include <hsm/inspect/detail/lane_core.hpp>

#include <list>
#include <mutex>
#include <optional>

namespace hsm::inspect {

class detail::page_core {
public:
    explicit page_core(const page_options& options) : all_(options.most.machines), hub_(options) {}

    inspect::lane& add_lane() {
        const std::lock_guard lock(mutex_);
        return lanes_.emplace_back().emplace(all_, hub_.new_feed()); // the feed is created last: it remains
    }
    std::string url() const { return hub_.url(); }

private:
    listing all_;
    hub hub_;
    std::mutex mutex_; ///< of the lanes
    std::list<std::optional<lane_core>> lanes_;
};

page::page(const page_options& options) : core_(make_owned<detail::page_core>(options)), first_(&core_->add_lane()) {}
page::~page() = default;
std::string page::url() const { return core_->url(); }
lane& page::lane() { return core_->add_lane(); }

} // namespace hsm::inspect
