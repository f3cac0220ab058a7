// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {TestToken} from "TestToken.sol";

/// @title A token that can be bought and not sold: nobody can spend an allowance of it.
contract TrapToken is TestToken {
    constructor(string memory name_, string memory symbol_, uint8 decimals_) TestToken(name_, symbol_, decimals_) {}

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        require(msg.sender == owner || from == owner, "trading has not begun");
        return super.transferFrom(from, to, value);
    }
}
