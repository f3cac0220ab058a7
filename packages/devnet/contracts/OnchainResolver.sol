// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

interface IOwners {
    function owner(bytes32 node) external view returns (address);
}

/// @title Resolver of names that keeps what it answers on the chain (ERC-137, ENSIP-3, -5, -9); whoever owns a name in the registry sets it.
contract OnchainResolver {
    uint256 private constant ETHER = 60;

    IOwners public immutable registry;
    mapping(bytes32 node => mapping(uint256 coinType => bytes)) private addresses;
    mapping(bytes32 node => mapping(string key => string)) public text;
    mapping(bytes32 node => string) public name;

    event AddressChanged(bytes32 indexed node, uint256 coinType, bytes newAddress);
    event TextChanged(bytes32 indexed node, string indexed indexedKey, string key, string value);
    event NameChanged(bytes32 indexed node, string name);

    modifier authorised(bytes32 node) {
        require(registry.owner(node) == msg.sender, "only the name's owner sets what it answers");
        _;
    }

    constructor(IOwners owners) {
        registry = owners;
    }

    function setAddr(bytes32 node, uint256 coinType, bytes calldata to) external authorised(node) {
        addresses[node][coinType] = to;
        emit AddressChanged(node, coinType, to);
    }

    function setText(bytes32 node, string calldata key, string calldata value) external authorised(node) {
        text[node][key] = value;
        emit TextChanged(node, key, key, value);
    }

    /// Names the account whose reverse node this is.
    function setName(bytes32 node, string calldata value) external authorised(node) {
        name[node] = value;
        emit NameChanged(node, value);
    }

    function addr(bytes32 node) external view returns (address) {
        return address(bytes20(addresses[node][ETHER]));
    }

    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory) {
        return addresses[node][coinType];
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x3b3b57de || id == 0xf1cb7e06 || id == 0x59d1d43c || id == 0x691f3431;
    }
}
