// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @title Registry of names (ERC-137): who owns a node, and which contract resolves it.
contract ENSRegistry {
    struct Record {
        address owner;
        address resolver;
        uint64 ttl;
    }

    mapping(bytes32 node => Record) private records;
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;

    event NewOwner(bytes32 indexed node, bytes32 indexed label, address owner);
    event Transfer(bytes32 indexed node, address owner);
    event NewResolver(bytes32 indexed node, address resolver);
    event NewTTL(bytes32 indexed node, uint64 ttl);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    modifier authorised(bytes32 node) {
        address holder = records[node].owner;
        require(holder == msg.sender || isApprovedForAll[holder][msg.sender], "only the node's owner changes it");
        _;
    }

    /// The root belongs to whoever deploys.
    constructor() {
        records[0].owner = msg.sender;
    }

    function setRecord(bytes32 node, address holder, address resolves, uint64 lifetime) external {
        setOwner(node, holder);
        _setResolver(node, resolves, lifetime);
    }

    function setSubnodeRecord(bytes32 node, bytes32 label, address holder, address resolves, uint64 lifetime) external {
        _setResolver(setSubnodeOwner(node, label, holder), resolves, lifetime);
    }

    function setOwner(bytes32 node, address holder) public authorised(node) {
        records[node].owner = holder;
        emit Transfer(node, holder);
    }

    function setSubnodeOwner(bytes32 node, bytes32 label, address holder) public authorised(node) returns (bytes32 subnode) {
        subnode = keccak256(abi.encodePacked(node, label));
        records[subnode].owner = holder;
        emit NewOwner(node, label, holder);
    }

    function setResolver(bytes32 node, address resolves) external authorised(node) {
        _setResolver(node, resolves, records[node].ttl);
    }

    function setTTL(bytes32 node, uint64 lifetime) external authorised(node) {
        _setResolver(node, records[node].resolver, lifetime);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function owner(bytes32 node) external view returns (address) {
        return records[node].owner;
    }

    function resolver(bytes32 node) external view returns (address) {
        return records[node].resolver;
    }

    function ttl(bytes32 node) external view returns (uint64) {
        return records[node].ttl;
    }

    function recordExists(bytes32 node) external view returns (bool) {
        return records[node].owner != address(0);
    }

    function _setResolver(bytes32 node, address resolves, uint64 lifetime) private {
        Record storage record = records[node];
        if (record.resolver != resolves) {
            record.resolver = resolves;
            emit NewResolver(node, resolves);
        }
        if (record.ttl != lifetime) {
            record.ttl = lifetime;
            emit NewTTL(node, lifetime);
        }
    }
}
