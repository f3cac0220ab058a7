// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @title The parts of Farcaster's IdRegistry and KeyRegistry that logins read, with three ids that have no auth address.
contract FarcasterRegistry {
    address private immutable first;
    address private immutable second;
    address private immutable third;

    constructor(address first_, address second_, address third_) {
        first = first_;
        second = second_;
        third = third_;
    }

    function idOf(address owner) external view returns (uint256) {
        if (owner == first) return 1001;
        if (owner == second) return 1002;
        if (owner == third) return 1003;
        return 0;
    }

    function keyDataOf(uint256, bytes calldata) external pure returns (uint8 state, uint32 keyType) {
        return (0, 0);
    }
}
