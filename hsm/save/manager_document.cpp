#include <hsm/save/manager_document.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/document_parts.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/detail/manager_format.hpp>

#include <algorithm>
#include <deque>

namespace hsm {

using namespace detail;

namespace {

void require_readable_context(const machine_kind& kind) {
    const auto layout = context_layout_of(kind);
    require_known_context(kind.chart.core(), layout, saving::document);
    if (layout.form == value_layout::fields && !kind.copy.make)
        throw save_error({code::unsaveable, kind.label,
                          "the context " + std::string(kind.saved.type.name) + " cannot be copied, so it cannot be restored",
                          "add a copy constructor and a noexcept move assignment, or add the kind with saves_contexts = false"});
}

json_value describe_slot(machine_slot& p, const machine_kind& kind, std::vector<std::byte>& image) {
    require_readable_context(kind);
    auto& m = instance_access::engine_of(p.machine());
    require_saveable(kind.chart.core(), saving::document);
    gather_mail(m);
    auto d = json_value::empty_object();
    d.add("name", json_value::of(p.name));
    d.add("kind", json_value::of(kind.label));
    if (p.real_time) d.add("real_time", json_value::of(true));
    add_machine(d, kind.chart.core(), save_machine(m, image));
    if (auto context = context_json(context_layout_of(kind), calls::root_context(m)); context.kind != json_value::nothing)
        d.add("context", std::move(context));
    return d;
}

class manager_reader {
public:
    manager_reader(const machine_factory& kinds, const document_node& all, changes& changed) : kinds_(kinds), all_(all), changed_(changed) {}

    wanted_pool run() {
        made_.elapsed = all_["elapsed"].integer(0);
        made_.real_elapsed = all_["real_elapsed"].integer(0);
        std::vector<std::string> names;
        all_["machines"].each_item([&](const document_node& each) {
            each.only({"name", "kind", "real_time", "chart", "fingerprint", "clock", "machine", "context"});
            const auto& name = each["name"].text();
            if (name.empty()) each["name"].refuse("a machine needs a name");
            if (std::ranges::find(names, name) != names.end()) each["name"].refuse("another machine has this name");
            names.push_back(name);
            read(name, each);
        });
        return std::move(made_);
    }

private:
    void read(const std::string& name, const document_node& from) {
        const auto& label = from["kind"].text();
        const auto* const found = find_kind(kinds_, label);
        if (!found)
            return changed_.add(code::changed_chart, from["kind"].value().place, name,
                                "the factory has no machines of the kind \"" + label + "\": the machine is left out");
        const auto& kind = *found;
        require_readable_context(kind);
        require_saveable(kind.chart.core(), saving::document);
        const auto before = changed_.notes.size();
        images_.push_back(read_machine(kind.chart.core(), from, changed_));
        for (auto i = before; i < changed_.notes.size(); ++i) changed_.notes[i].path = name + ": " + changed_.notes[i].path;
        wanted_machine m;
        m.name = name;
        m.kind = &kind;
        m.real_time = from.flag("real_time");
        m.image = images_.back();
        read_context_of(m, document_node(from.value(), name));
        made_.machines.push_back(std::move(m));
    }
    void read_context_of(wanted_machine& m, const document_node& from) {
        const auto layout = context_layout_of(*m.kind);
        if (layout.form == value_layout::fields)
            m.change_context = later([this, from, layout](void* object) { read_context(from, {layout.codec->serialize, object}, changed_); });
        if (layout.form != value_layout::bytes) return;
        if (!from.has("context"))
            return changed_.add(code::changed_chart, from.value().place, m.name + "/context",
                                "the document contains no context: the context is unchanged");
        m.change_context = later(
            [value = decode_value(from["context"], layout, nullptr, changed_)](void* object) { std::memcpy(object, value.data(), value.size()); });
        m.cannot_fail = true;
    }

    const machine_factory& kinds_;
    const document_node& all_;
    changes& changed_;
    wanted_pool made_;
    std::deque<std::vector<std::byte>> images_;
};

} // namespace

std::string save_document(const manager& machines, const machine_factory& kinds) {
    auto& pool = manager_access::pool_of(machines);
    if (pool.is_busy()) return {};
    auto d = begin_document("manager");
    d.add("elapsed", json_value::of(pool.elapsed.nanoseconds()));
    d.add("real_elapsed", json_value::of(pool.real_elapsed.nanoseconds()));
    auto list = json_value::empty_list();
    std::vector<std::byte> image;
    for (auto* p = pool.first(); p; p = p->after) list.add(describe_slot(*p, require_kind(kinds, *p), image));
    d.add("machines", std::move(list));
    return write_json(d);
}

restored restore_document(manager& machines, const machine_factory& kinds, std::string_view text, const document_options& how) {
    auto& pool = manager_access::pool_of(machines);
    if (pool.is_busy()) return {result::busy, {}};
    const auto d = read_json(text, how.most_bytes, how.most_depth);
    const document_node all(d, "");
    check_envelope(all, "manager", {"elapsed", "real_elapsed", "machines"});
    changes changed;
    manager_reader reader(kinds, all, changed);
    auto wanted = reader.run();
    wanted.when_checked = later([&](void*) { changed.refuse_if(how.strict); });
    restore_pool(pool, wanted);
    return {result::taken, std::move(changed.notes)};
}

} // namespace hsm
