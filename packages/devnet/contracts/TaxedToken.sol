// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {TestToken} from "TestToken.sol";

/// @title A token that keeps one percent of every transfer: who receives it gets less than was sent.
contract TaxedToken is TestToken {
    constructor(string memory name_, string memory symbol_, uint8 decimals_) TestToken(name_, symbol_, decimals_) {}

    function move(address from, address to, uint256 value) internal override {
        uint256 tax = value / 100;
        super.move(from, to, value - tax);
        balanceOf[from] -= tax;
        totalSupply -= tax;
        emit Transfer(from, address(0), tax);
    }
}
