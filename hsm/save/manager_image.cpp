// Saves a manager as an image, and restores it from an image or a document. For a restore, everything is checked and created first; then the exchange
// cannot fail.

#include <hsm/save/manager_image.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/error.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/manager_format.hpp>
#include <hsm/save/machine_factory.hpp>

#include <algorithm>
#include <deque>
#include <unordered_set>

namespace hsm {

void machine_factory::add_kind(owned<detail::machine_kind> kind) {
    detail::require_chart(kind->chart);
    const auto refuse = [&](std::string what) {
        throw usage_error({code::bad_option, kind->label, std::move(what), "use one label for each chart"});
    };
    for (const auto& known : kinds_) {
        if (known->label == kind->label) refuse(fmt::format("the factory already has the label \"{}\"", kind->label));
        if (&known->chart.core() == &kind->chart.core()) refuse(fmt::format("the chart already has the label \"{}\"", known->label));
    }
    kinds_.push_back(std::move(kind));
}

using namespace detail;

namespace detail {

value_layout context_layout_of(const machine_kind& kind) {
    return kind.options.saves_contexts ? layout_of_users_context(kind.saved) : value_layout{};
}

const machine_kind* find_kind(const machine_factory& kinds, const chart_core& core) {
    for (const auto& each : kinds.kinds())
        if (&each->chart.core() == &core) return each.get();
    return nullptr;
}

const machine_kind* find_kind(const machine_factory& kinds, std::string_view label) {
    for (const auto& each : kinds.kinds())
        if (each->label == label) return each.get();
    return nullptr;
}

const machine_kind& require_kind(const machine_factory& kinds, const machine_slot& p) {
    const auto& core = p.uses->chart.core();
    if (const auto* const kind = find_kind(kinds, core)) return *kind;
    throw save_error({code::unsaveable, p.name, fmt::format("the machine uses the chart \"{}\", which the factory does not have", core.root->path()),
                      "add(label, chart, ...) to the factory"});
}

namespace {

class pool_writer {
public:
    pool_writer(machine_pool& pool, const machine_factory& kinds, std::span<std::byte> to) : pool_(pool), kinds_(kinds), to_(to), out_(to) {}

    std::size_t run(bool checksum) {
        manager_image_head head;
        head.origin = pool_.origin();
        head.elapsed = pool_.elapsed.nanoseconds();
        head.real_elapsed = pool_.real_elapsed.nanoseconds();
        out_.skip(sizeof head);
        gather_kinds();
        for (const auto* kind : used_) put_kind(*kind);
        for (auto* p = pool_.first(); p; p = p->after) {
            put_machine(*p);
            ++head.machines;
        }
        head.kinds = static_cast<std::uint32_t>(used_.size());
        return finish_image(out_, to_, head, checksum);
    }

private:
    void gather_kinds() {
        for (auto* p = pool_.first(); p; p = p->after) {
            const auto& kind = require_kind(kinds_, *p);
            if (std::ranges::find(used_, &kind) != used_.end()) continue;
            require_saveable_context(kind.chart.core(), context_layout_of(kind));
            require_saveable(kind.chart.core(), saving::image);
            used_.push_back(&kind);
        }
    }
    void put_kind(const machine_kind& kind) {
        const auto context = context_layout_of(kind);
        out_.put(manager_kind_head{static_cast<std::uint32_t>(kind.label.size()), context.form, context.size, 0});
        out_.put_bytes(kind.label.data(), kind.label.size());
    }
    void put_machine(machine_slot& p) {
        const auto used = std::ranges::find(used_, &require_kind(kinds_, p));
        auto& m = instance_access::engine_of(p.machine());
        manager_machine_head head{
            static_cast<std::uint32_t>(p.name.size()), static_cast<std::uint32_t>(used - used_.begin()), p.number, p.real_time, p.serial, 0};
        auto* const at = out_.skip(sizeof head);
        out_.put_bytes(p.name.data(), p.name.size());
        const auto rest = out_.rest();
        head.image_size = save_machine(m, rest, false);
        out_.skip(head.image_size);
        if (at) std::memcpy(at, &head, sizeof head);
        out_.put_value(context_layout_of(**used), calls::root_context(m));
    }

    machine_pool& pool_;
    const machine_factory& kinds_;
    const std::span<std::byte> to_;
    image_writer out_;
    std::vector<const machine_kind*> used_;
};

} // namespace

void savable_manager::gather_mail() const {
    for (auto* p = pool_.first(); p; p = p->after) detail::gather_mail(instance_access::engine_of(p->machine()));
}

std::size_t savable_manager::save(std::span<std::byte> to, bool checksum) const { return pool_writer(pool_, kinds_, to).run(checksum); }

// Restoring.

namespace {

[[noreturn]] void broken(const std::string& what, std::string path = {}) {
    throw save_error({code::broken_image, std::move(path), "the image of the manager is broken: " + what, "restore an image that save wrote"});
}

class pool_image_reader {
public:
    pool_image_reader(const machine_pool* pool, const machine_factory& kinds, std::span<const std::byte> from)
        : pool_(pool), factory_(kinds), head_(head_of(from)), in_(from.subspan(sizeof head_, head_.size - sizeof head_)) {}

    wanted_pool run() {
        for (std::uint32_t i = 0; i < head_.kinds; ++i) kinds_.push_back(kind());
        wanted_pool all;
        all.elapsed = head_.elapsed;
        all.real_elapsed = head_.real_elapsed;
        for (std::uint32_t i = 0; i < head_.machines; ++i) all.machines.push_back(machine());
        if (in_.left() > 0) broken("it has data after its end");
        return all;
    }

private:
    static manager_image_head head_of(std::span<const std::byte> from) {
        const auto head = head_of_image<manager_image_head>(from);
        if (head.magic != manager_image_magic || head.version != image_version)
            throw save_error(
                {code::not_an_image, "", "this is not an image of a manager from this version of the library", "restore an image that save wrote"});
        if (const auto* const damage = text_of(damage_of(head, from))) broken(damage);
        if (head.elapsed < 0 || head.real_elapsed < 0) broken("its time is negative");
        return head;
    }
    std::string text(std::uint32_t size) {
        const auto* const bytes = in_.take_bytes(size);
        if (in_.ends_early()) broken("it ends too early");
        return {reinterpret_cast<const char*>(bytes), size};
    }
    const machine_kind* kind() {
        const auto head = in_.take<manager_kind_head>();
        const auto label = text(head.label_size);
        const auto* const found = find_kind(factory_, label);
        if (!found)
            throw save_error({code::other_image, label, "the image has machines of a kind that the factory does not have",
                              "add(\"" + label + "\", chart, ...) to the factory"});
        const auto context = context_layout_of(*found);
        require_saveable_context(found->chart.core(), context);
        if (head.reserved != 0 || head.context_form != context.form || head.context_size != context.size)
            throw save_error({code::other_image, label, "the contexts of the image belong to another build, or were saved in another way",
                              "restore it with the program that wrote it"});
        return found;
    }
    wanted_machine machine() {
        const auto head = in_.take<manager_machine_head>();
        wanted_machine m;
        m.name = text(head.name_size);
        if (m.name.empty() || head.real_time > 1 || head.kind >= kinds_.size()) broken("a machine is invalid", m.name);
        m.kind = kinds_[head.kind];
        m.real_time = head.real_time != 0;
        if (head.serial == 0 || !serials_.insert(head.serial).second || !numbers_.insert(head.number).second)
            broken("two machines have the same number", m.name);
        if (pool_ && head_.origin == pool_->origin()) {
            if (head.serial > pool_->issued() || head.number >= pool_->numbers()) broken("it belongs to a manager with other machines", m.name);
            m.place = {head.number, head.serial};
        }
        const auto* const image = in_.take_bytes(head.image_size);
        const auto layout = context_layout_of(*m.kind);
        const auto context = in_.take_value(layout);
        if (in_.ends_early()) broken("it ends too early", m.name);
        m.image = {image, head.image_size};
        m.context = context;
        if (layout.form == value_layout::bytes) {
            m.change_context = later([context](void* object) { std::memcpy(object, context.data(), context.size()); });
            m.cannot_fail = true;
        } else if (layout.form == value_layout::fields) {
            m.change_context = later([context, layout, name = m.name](void* object) {
                try {
                    read_value(layout, context, object);
                } catch (const broken_bytes& e) {
                    broken(std::string("the fields of the context do not match: ") + e.what(), name);
                }
            });
        }
        return m;
    }

    const machine_pool* pool_;
    const machine_factory& factory_;
    const manager_image_head head_;
    image_reader in_;
    std::vector<const machine_kind*> kinds_;
    std::unordered_set<std::uint64_t> serials_;
    std::unordered_set<std::uint32_t> numbers_;
};

/// A context that is changed through a copy.
class changed_context {
public:
    changed_context(const context_copy& how, void* to) : how_(how), to_(to), copy_(how.make(to)) {}
    changed_context(const changed_context&) = delete;
    changed_context& operator=(const changed_context&) = delete;
    ~changed_context() { how_.destroy(copy_); }
    void* object() const { return copy_; }
    void give() const { how_.give(copy_, to_); }

private:
    const context_copy& how_;
    void* to_;
    void* copy_;
};

class pool_exchange {
public:
    pool_exchange(machine_pool& pool, const wanted_pool& wanted) : pool_(pool), wanted_(wanted) {}
    pool_exchange(const pool_exchange&) = delete;
    ~pool_exchange() {
        if (is_done_) return;
        for (const auto& each : all_)
            if (each.prepared.slot && each.prepared.is_new) pool_.discard(*each.prepared.slot);
    }

    void run() {
        for (const auto& each : wanted_.machines) require_new_name(each);
        for (const auto& each : wanted_.machines) place(each);
        for (auto& each : all_) check(each);
        pool_.make_room(all_.size());
        if (wanted_.when_checked) wanted_.when_checked->run(nullptr);
        std::vector<prepared_machine> prepared;
        for (const auto& each : all_) prepared.push_back(each.prepared);
        // Nothing fails from here on.
        make_call(
            pool_.inputs, [](manager_inputs& to) { to.jump(); }, [&] { exchange_all(prepared); });
    }

private:
    void exchange_all(const std::vector<prepared_machine>& prepared) {
        pool_.exchange(prepared);
        is_done_ = true;
        pool_.elapsed = time_span::from_nanoseconds(wanted_.elapsed);
        pool_.real_elapsed = time_span::from_nanoseconds(wanted_.real_elapsed);
        for (auto& each : all_)
            if (each.context) each.context->give();
        for (auto& each : all_) // observers, and contexts that cannot be copied, come last
            first_.of([&] { hsm::detail::exchange(each.engine(), each.image, each.mail ? &*each.mail : nullptr); });
        for (auto& each : all_)
            if (each.wanted->change_context && !each.context) first_.of([&] { each.wanted->change_context->run(each.object()); });
        first_.rethrow();
    }

    struct one {
        const wanted_machine* wanted = nullptr;
        prepared_machine prepared{};
        checked_image image{};
        std::optional<mailbox_queue::refill> mail{};
        std::optional<changed_context> context{};

        machine& engine() const { return instance_access::engine_of(prepared.slot->machine()); }
        void* object() const { return calls::root_context(engine()); }
    };

    void require_new_name(const wanted_machine& m) {
        if (!names_.insert(m.name).second) broken("two machines have the same name", m.name);
    }
    /// Uses the existing machine, or prepares a new one.
    void place(const wanted_machine& m) {
        auto* p = pool_.find(m.name);
        if (p && (&p->uses->chart.core() != &m.kind->chart.core() || (m.place && m.place->serial != p->serial))) p = nullptr;
        const bool is_new = !p;
        if (!is_new && m.place && m.place->number != p->number) broken("a machine has another position", m.name);
        auto& each = all_.emplace_back();
        if (is_new)
            p = &pool_.prepare(m.kind->context, m.name, m.kind->chart, m.kind->context_of(m.name), m.kind->options.agent,
                               m.place ? std::optional(m.place->number) : std::nullopt);
        const auto number = is_new && m.place ? m.place->number : p->number;
        const auto serial = !is_new ? p->serial : m.place ? m.place->serial : pool_.next_serial();
        each.wanted = &m;
        each.prepared = {p, number, serial, is_new, m.real_time};
    }
    static void check(one& each) {
        auto& m = each.engine();
        const auto& core = core_of(m);
        each.image = check_image(core, image_layout_of(core), each.wanted->image);
        check_room(m, core, each.image.head);
        if (auto* const box = mail_of(m, core)) {
            each.mail.emplace(*box, each.image.head.mailed);
            if (!each.mail->has_room())
                refuse_image(core, code::no_room_for_image, "the mailbox of the machine \"" + each.wanted->name + "\" has no room",
                             "raise instance_options::mailbox");
        }
        const auto& how = each.wanted->kind->copy;
        if (!each.wanted->change_context || each.wanted->cannot_fail || !how.make) return;
        each.context.emplace(how, each.object());
        each.wanted->change_context->run(each.context->object());
    }

    machine_pool& pool_;
    const wanted_pool& wanted_;
    std::unordered_set<std::string_view> names_;
    std::deque<one> all_;
    first_exception first_;
    bool is_done_ = false;
};

} // namespace

wanted_pool read_pool_image(const machine_pool* pool, const machine_factory& kinds, std::span<const std::byte> from) {
    return pool_image_reader(pool, kinds, from).run();
}

void restore_pool(machine_pool& pool, const wanted_pool& wanted) { pool_exchange(pool, wanted).run(); }

void savable_manager::restore(std::span<const std::byte> from) const { restore_pool(pool_, read_pool_image(&pool_, kinds_, from)); }

} // namespace detail

std::size_t image_size(const manager& machines, const machine_factory& kinds) { return image_size_of(savable_manager(machines, kinds)); }
saved save(const manager& machines, const machine_factory& kinds, std::span<std::byte> to, image_options how) {
    return save_into(savable_manager(machines, kinds), to, how);
}
std::vector<std::byte> save(const manager& machines, const machine_factory& kinds, image_options how) {
    return image_of(savable_manager(machines, kinds), how);
}

result restore(manager& machines, const machine_factory& kinds, std::span<const std::byte> from) {
    const savable_manager object(machines, kinds);
    if (object.is_busy()) return result::busy;
    object.restore(from);
    return result::taken;
}

} // namespace hsm
