// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {TestToken} from "TestToken.sol";

/// @title A token whose allowance can be given by a signature (EIP-2612).
contract PermitToken is TestToken {
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    mapping(address => uint256) public nonces;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) TestToken(name_, symbol_, decimals_) {}

    function version() external pure returns (string memory) {
        return "1";
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 domain = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(domain, keccak256(bytes(name)), keccak256("1"), block.chainid, address(this)));
    }

    function permit(address holder, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "the permit has expired");
        bytes32 content = keccak256(abi.encode(PERMIT_TYPEHASH, holder, spender, value, nonces[holder]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), content)), v, r, s);
        require(signer != address(0) && signer == holder, "the permit is not the holder's");
        allowance[holder][spender] = value;
        emit Approval(holder, spender, value);
    }
}
