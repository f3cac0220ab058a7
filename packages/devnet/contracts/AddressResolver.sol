// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

interface IOwners {
    function owner(bytes32 node) external view returns (address);
}

/// @title Resolver of names whose addresses are on the chain (ERC-137, ENSIP-9); whoever owns a name in the registry sets them.
contract AddressResolver {
    uint256 private constant ETHER = 60;

    IOwners public immutable registry;
    mapping(bytes32 node => mapping(uint256 coinType => bytes)) private addresses;

    event AddressChanged(bytes32 indexed node, uint256 coinType, bytes newAddress);

    constructor(IOwners owners) {
        registry = owners;
    }

    function setAddr(bytes32 node, uint256 coinType, bytes calldata to) external {
        require(registry.owner(node) == msg.sender, "only the name's owner sets where it leads");
        addresses[node][coinType] = to;
        emit AddressChanged(node, coinType, to);
    }

    function addr(bytes32 node) external view returns (address) {
        return address(bytes20(addresses[node][ETHER]));
    }

    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory) {
        return addresses[node][coinType];
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x3b3b57de || id == 0xf1cb7e06;
    }
}
