/// The interface through which saving, documents, logs and rollbacks use an object: a machine, a crowd or a manager.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/run/instance_base.hpp>
#include <hsm/save/difference.hpp>
#include <hsm/save/image.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hsm {
class crowd_base;
}

namespace hsm::detail {

struct saved_context;

/// Refers to an object that can be saved.
class savable {
public:
    virtual ~savable() = default;

    virtual std::string path() const = 0;            ///< for messages
    virtual bool is_busy() const = 0;                ///< whether it cannot be saved now
    virtual void gather_mail() const = 0;            ///< takes over what other threads have posted. `save` saves only the gathered events
    virtual std::size_t most_image_size() const = 0; ///< as far as it is known in advance; throws save_error (HSM-351)
    /// Returns the required size. Writes the image if `to` is large enough.
    virtual std::size_t save(std::span<std::byte> to, bool checksum) const = 0;
    virtual void restore(std::span<const std::byte> from) const = 0;
    /// Returns the differences between two images.
    virtual std::vector<field_difference> difference(std::span<const std::byte> a, std::span<const std::byte> b) const = 0;
};

class savable_instance final : public savable {
public:
    explicit savable_instance(const instance_base& agent);

    std::string path() const override;
    bool is_busy() const override;
    void gather_mail() const override;
    std::size_t most_image_size() const override;
    std::size_t save(std::span<std::byte> to, bool checksum) const override;
    void restore(std::span<const std::byte> from) const override;
    std::vector<field_difference> difference(std::span<const std::byte> a, std::span<const std::byte> b) const override;

private:
    const instance_base& agent_;
    machine& machine_;
};

owned<savable> make_savable(instance_base& agent);
owned<savable> make_savable(crowd_base& crowd, const saved_context& kind);

[[noreturn]] void refuse_small_buffer(std::string path, std::size_t needed, std::size_t there); ///< throws save_error (HSM-352)

// The functions of image.hpp, crowd_image.hpp and manager_image.hpp.

template <class Savable> std::size_t image_size_of(const Savable& object) {
    if (object.is_busy()) return 0;
    object.gather_mail();
    return object.save({}, false);
}
template <class Savable> saved save_into(const Savable& object, std::span<std::byte> to, image_options how) {
    if (object.is_busy()) return {result::busy, 0};
    object.gather_mail();
    const auto size = object.save(to, how.checksum);
    if (size > to.size()) [[unlikely]]
        refuse_small_buffer(object.path(), size, to.size());
    return {result::taken, size};
}
template <class Savable> std::vector<std::byte> image_of(const Savable& object, image_options how) {
    std::vector<std::byte> image(image_size_of(object));
    if (!image.empty()) object.save(image, how.checksum);
    return image;
}

} // namespace hsm::detail
