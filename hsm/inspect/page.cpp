#include <hsm/inspect/page.hpp>

#include <hsm/inspect/detail/hub.hpp>
#include <hsm/inspect/detail/lane_core.hpp>

#include <mutex>
#include <utility>
#include <vector>

namespace hsm::inspect {

namespace detail {

class page_core {
public:
    explicit page_core(const page_options& options) : all_(options.most.machines), hub_(options) {}
    page_core(const page_core&) = delete;
    page_core& operator=(const page_core&) = delete;
    ~page_core() {
        for (auto* const each : lanes_) delete each;
    }

    inspect::lane& add_lane() {
        const std::lock_guard lock(mutex_);
        lanes_.reserve(lanes_.size() + 1);
        return *lanes_.emplace_back(new inspect::lane(*this));
    }
    feed& new_feed() { return hub_.new_feed(); }
    listing& all() { return all_; }
    std::string url() const { return hub_.url(); }

private:
    listing all_;
    hub hub_;
    std::mutex mutex_; ///< of the lanes
    std::vector<inspect::lane*> lanes_;
};

} // namespace detail

lane::lane(detail::page_core& page) : core_(new detail::lane_core(page.all(), page.new_feed(), asks_)) {} // the feed is created last: it remains
lane::~lane() = default;

void lane::add_watched(std::string_view name, const detail::watched& machine) { core_->add(name, machine); }
void lane::remove_at(const void* key) { core_->remove(key); }
void lane::record_at(const void* key) { core_->record(key); }
bool lane::runs_at(const void* key) { return core_->runs(key); }
bool lane::needs_poll() const { return core_->needs_poll(); }
void lane::poll_now() { core_->poll(); }

page::page(const page_options& options) : core_(make_owned<detail::page_core>(options)), first_(&core_->add_lane()) {}
page::~page() = default;
std::string page::url() const { return core_->url(); }
lane& page::lane() { return core_->add_lane(); }

} // namespace hsm::inspect
