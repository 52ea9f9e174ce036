#include "fovea/datasets/network/karate_club.hpp"

#include <iterator>

namespace fovea::datasets::network {
namespace {

constexpr std::size_t kMembers = 34;

// Member, member, number of contexts (Zachary 1977, Figures 1 and 3), counted from 0.
constexpr NetworkEdge kFriendships[] = {
    {0, 1, 4},   {0, 2, 5},   {0, 3, 3},   {0, 4, 3},   {0, 5, 3},   {0, 6, 3},   {0, 7, 2},   {0, 8, 2},   {0, 10, 2},
    {0, 11, 3},  {0, 12, 1},  {0, 13, 3},  {0, 17, 2},  {0, 19, 2},  {0, 21, 2},  {0, 31, 2},  {1, 2, 6},   {1, 3, 3},
    {1, 7, 4},   {1, 13, 5},  {1, 17, 1},  {1, 19, 2},  {1, 21, 2},  {1, 30, 2},  {2, 3, 3},   {2, 7, 4},   {2, 8, 5},
    {2, 9, 1},   {2, 13, 3},  {2, 27, 2},  {2, 28, 2},  {2, 32, 2},  {3, 7, 3},   {3, 12, 3},  {3, 13, 3},  {4, 6, 2},
    {4, 10, 3},  {5, 6, 5},   {5, 10, 3},  {5, 16, 3},  {6, 16, 3},  {8, 30, 3},  {8, 32, 3},  {8, 33, 4},  {9, 33, 2},
    {13, 33, 3}, {14, 32, 3}, {14, 33, 2}, {15, 32, 3}, {15, 33, 4}, {18, 32, 1}, {18, 33, 2}, {19, 33, 1}, {20, 32, 3},
    {20, 33, 1}, {22, 32, 2}, {22, 33, 3}, {23, 25, 5}, {23, 27, 4}, {23, 29, 3}, {23, 32, 5}, {23, 33, 4}, {24, 25, 2},
    {24, 27, 3}, {24, 31, 2}, {25, 31, 7}, {26, 29, 4}, {26, 33, 2}, {27, 33, 4}, {28, 31, 2}, {28, 33, 2}, {29, 32, 4},
    {29, 33, 2}, {30, 32, 3}, {30, 33, 3}, {31, 32, 4}, {31, 33, 4}, {32, 33, 5},
};

// The members who followed the instructor (Table 3); the others joined the officers' club.
constexpr std::uint32_t kWithMrHi[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21};

}  // namespace

Network karate_club() {
  Network club = make_network(kMembers, {std::begin(kFriendships), std::end(kFriendships)});
  auto& sides = club.labels["club"];
  sides.assign(kMembers, "Officer");
  for (const std::uint32_t member : kWithMrHi) sides[member] = "Mr. Hi";
  return club;
}

}  // namespace fovea::datasets::network
