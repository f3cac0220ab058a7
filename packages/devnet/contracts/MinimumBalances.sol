// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

interface IBalanceOf {
    function balanceOf(address account) external view returns (uint256);
}

/// @title Check at the end of an account's calls: they revert if the account has less than it named.
/// @notice It has no state and no owner. Its address follows from its code, by the deterministic deployment proxy.
contract MinimumBalances {
    struct Minimum {
        /// The zero address for the native token.
        address token;
        /// Base units.
        uint256 amount;
    }

    error BelowMinimum(address token, uint256 balance, uint256 minimum);

    /// Reverts unless the caller has at least each amount.
    function check(Minimum[] calldata minimums) external view {
        for (uint256 i = 0; i < minimums.length; i++) {
            address token = minimums[i].token;
            uint256 balance = token == address(0) ? msg.sender.balance : IBalanceOf(token).balanceOf(msg.sender);
            if (balance < minimums[i].amount) revert BelowMinimum(token, balance, minimums[i].amount);
        }
    }
}
