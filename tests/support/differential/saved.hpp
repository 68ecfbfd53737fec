/// An instance that is regularly saved and restored: before most inputs another instance replaces it, and must continue in the same way.
#pragma once

#include <hsm/run/instance.hpp>
#ifdef HSM_TEST_JSON
#include <hsm/save/document.hpp>
#endif
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <tests/support/differential/test_context.hpp>

#include <stdexcept>
#include <utility>
#include <vector>

namespace differential {

class saved_often : public hsm::instance<test_context> {
public:
    saved_often(const hsm::chart<test_context>& chart, test_context& w, const hsm::instance_options& options)
        : hsm::instance<test_context>(chart, w, options), chart_(chart), test_context_(w), options_(options),
          turn_(static_cast<int>(chart.state_count())) {}

    void next_input() {
        if (++turn_ % 4 == 0 || busy()) return;
        const bool checked = turn_ % 3 == 0;
        const auto image = hsm::save(*this, {.checksum = checked});
        const auto fields = 200 * (chart_.state_count() + 16); // of locals and of waiting events
        if (image.size() > hsm::most_image_size(*this) + fields) throw std::logic_error("an image is larger than the largest");
        hsm::instance<test_context> other(chart_, test_context_, options_);
        if (turn_ % 5 == 0) prepare(other);
        const auto before = hsm::save(other, {.checksum = checked});
        const auto was_alive = test_context_.alive;
        try {
            hsm::restore(other, image);
        } catch (const fault&) { // of a local's copy: the instance must be unchanged
            if (hsm::save(other, {.checksum = checked}) != before || test_context_.alive != was_alive) throw std::logic_error("half restored");
            const auto bits = std::exchange(test_context_.bits, 0);
            hsm::restore(other, image);
            test_context_.bits = bits;
        }
        if (hsm::save(other, {.checksum = checked}) != image) throw std::logic_error("what was restored is not what was saved");
        if (!checked) check_document(image);
        hsm::instance<test_context>::operator=(std::move(other));
    }

private:
    /// Checks the document and the hash.
    void check_document(const std::vector<std::byte>& image) const {
        const auto bits = std::exchange(test_context_.bits, 0); // locals are copied
#ifdef HSM_TEST_JSON
        const auto text = hsm::document_of(chart_, image);
        const auto [again, changes] = hsm::image_of(chart_, text, {.strict = true});
        if (again != image) throw std::logic_error("an image made of a document is another: " + text);
        if (hsm::document_of(chart_, again) != text) throw std::logic_error("a document is another");
#endif
        if (hsm::hash(chart_, image) != hsm::hash(*this)) throw std::logic_error("a hash is another");
        test_context_.bits = bits;
    }
    /// Gives the instance a state that restoring must remove.
    void prepare(hsm::instance<test_context>& other) {
        const auto bits = std::exchange(test_context_.bits, 0);
        const bool silent = std::exchange(test_context_.silent, true);
        for (std::size_t s = 0; s < chart_.state_count(); s += 3) try {
                other.set_state(chart_.state(s));
                other.post(hit{1});
                other.post("ping");
            } catch (const std::exception&) {
            }
        test_context_.silent = silent;
        test_context_.bits = bits;
    }

    hsm::chart<test_context> chart_;
    test_context& test_context_;
    hsm::instance_options options_;
    int turn_;
};

} // namespace differential
