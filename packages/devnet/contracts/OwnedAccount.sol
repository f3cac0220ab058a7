// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @title An account that is a contract: what its owner's key signs, it signs (ERC-1271).
contract OwnedAccount {
    address public immutable owner;

    constructor(address holder) {
        owner = holder;
    }

    receive() external payable {}

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return _signer(hash, signature) == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    function _signer(bytes32 hash, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        return ecrecover(hash, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
    }
}
