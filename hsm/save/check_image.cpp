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
        refuse_image(core, code::other_image, "the image is of another build of this chart", "a document can be restored into another build");
    refuse_image(core, code::other_image, "the image is of another chart", "a document can be restored into another chart");
}

/// Reads the head and checks everything that does not need the other parts.
image_head check_head(const chart_core& core, const image_shape& shape, std::span<const std::byte> from) {
    image_head head;
    head.magic = 0;
    if (from.size() >= sizeof head) std::memcpy(&head, from.data(), sizeof head);
    if (head.magic != image_magic || head.version != image_version)
        refuse_image(core, code::not_an_image, "this is no image of this version of the library", "restore what save has written");
    if (head.chart != shape.chart || head.layout != shape.layout) refuse_other(core, head.chart == shape.chart);
    const auto broken = [&](const char* what) { refuse_image(core, code::broken_image, what, "restore what save has written"); };
    if (head.size < sizeof head || head.size > from.size()) broken("the image is cut off");
    if (head.flags & ~image_has_checksum) broken("the image has unknown flags");
    const auto parts = from.subspan(sizeof head, head.size - sizeof head);
    if (head.checksum != (head.flags & image_has_checksum ? checksum_of(head, parts) : 0)) broken("the image has another checksum than it says");
    if ((head.work & ~lasting_work) || (head.state & ~lasting_state) || head.now < 0 || head.reserved != 0) broken("the image's head means nothing");
    if (!(head.scale >= 0 && head.scale < HUGE_VAL) || (head.scale != 1.0) != ((head.state & state_scaled) != 0))
        broken("the image's time scale is none");
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
                                                        : "there is more than it says";
        refuse_image(core, code::broken_image, "the image is broken: " + problem, "restore what save has written");
    }
    image.built = std::move(checker.built());
    return image;
}

} // namespace hsm::detail
