// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @title A token whose balance cannot be read: balanceOf reverts, or burns all the gas it is given.
/// @notice One such token in a list must not spoil the balances of the others.
contract BrokenToken {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    bool public immutable burnsGas;

    constructor(string memory name_, string memory symbol_, bool burnsGas_) {
        name = name_;
        symbol = symbol_;
        burnsGas = burnsGas_;
    }

    function balanceOf(address) external view returns (uint256) {
        if (burnsGas) {
            assembly {
                invalid()
            }
        }
        revert("balances are not available");
    }
}
