// A crowd over the ranks of an MPI job: here one rank, without mpirun.

#include <hsm/cluster.hpp>
#include <hsm/hsm.hpp>

struct sheep {
    int hunger = 0;
};

int main() {
    auto root = hsm::make_fsm<sheep>("sheep");
    auto& graze = root->add("graze");
    graze.to(root->add("rest")).on("night");
    const auto chart = hsm::compile(std::move(root));
    hsm::distributed_crowd herd{hsm::world(), chart};
    for (hsm::global_id id = 0; id < 10; ++id)
        if (herd.is_home(id)) herd.add(id);
    herd.post_all("night");
    herd.tick(0.1);
    return herd.count("rest") == 10 ? 0 : 1;
}
