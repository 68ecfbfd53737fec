#include <hsm/save/detail/check_image.hpp>

#include <hsm/save/save_error.hpp>

#include <cmath>
#include <utility>

namespace hsm::detail {

void refuse_image(const chart_core& core, code number, std::string problem, std::string hint) {
    throw save_error({number, core.root->path(), std::move(problem), std::move(hint)});
}

namespace {

[[noreturn]] void refuse_other(const chart_core& core, bool is_same_chart) {
    if (is_same_chart)
        refuse_image(core, code::other_image, "the image belongs to another build of this chart",
                     "use a document: it can be restored into another build");
    refuse_image(core, code::other_image, "the image belongs to another chart", "use a document: it can be restored into another chart");
}

/// Reads the head and checks everything that does not need the other parts.
image_head check_head(const chart_core& core, const image_shape& shape, std::span<const std::byte> from) {
    image_head head;
    head.magic = 0;
    if (from.size() >= sizeof head) std::memcpy(&head, from.data(), sizeof head);
    if (head.magic != image_magic || head.version != image_version)
        refuse_image(core, code::not_an_image, "this is not an image from this version of the library", "restore an image that save wrote");
    if (head.chart != shape.chart || head.layout != shape.layout) refuse_other(core, head.chart == shape.chart);
    const auto broken = [&](const char* what) { refuse_image(core, code::broken_image, what, "restore an image that save wrote"); };
    if (head.size < sizeof head || head.size > from.size()) broken("the image is cut off");
    if (head.flags & ~image_has_checksum) broken("the image has unknown flags");
    const auto parts = from.subspan(sizeof head, head.size - sizeof head);
    if (head.checksum != (head.flags & image_has_checksum ? checksum_of(head, parts) : 0)) broken("the checksum of the image is wrong");
    if ((head.work & ~lasting_work) || (head.state & ~lasting_state) || head.now < 0 || head.reserved != 0)
        broken("the header of the image is invalid");
    if (!(head.scale >= 0 && head.scale < HUGE_VAL) || (head.scale != 1.0) != ((head.state & state_scaled) != 0))
        broken("the time scale of the image is invalid");
    return head;
}

} // namespace

checked_image check_image(const chart_core& core, const image_shape& shape, std::span<const std::byte> from) {
    checked_image image{check_head(core, shape, from), {}, {}};
    image.parts = from.subspan(sizeof(image_head), image.head.size - sizeof(image_head));
    image_checker checker(core, image.head);
    image_reader reader(image.parts);
    if (!read_parts(reader, core, shape, image.head, checker) || reader.left() > 0) {
        const auto problem = !checker.problem().empty() ? checker.problem()
                             : reader.ends_early()      ? "it ends too early"
                                                        : "it contains more data than it declares";
        refuse_image(core, code::broken_image, "the image is broken: " + problem, "restore an image that save wrote");
    }
    image.built = std::move(checker.built());
    return image;
}

} // namespace hsm::detail
