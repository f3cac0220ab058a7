// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @title A price feed in the shape of Chainlink's AggregatorV3Interface.
/// @notice An answer set with updatedAt 0 is always as fresh as the block it is read in; any other
/// updatedAt stays, so that a stale feed can be shown.
contract PriceFeed {
    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    string public description;
    uint8 public immutable decimals;
    uint256 public constant version = 4;
    address public immutable owner;

    uint80 private round;
    int256 private answer;
    uint256 private updatedAt;

    constructor(string memory description_, uint8 decimals_, int256 answer_) {
        description = description_;
        decimals = decimals_;
        owner = msg.sender;
        set(answer_, 0);
    }

    function set(int256 answer_, uint256 updatedAt_) public {
        require(msg.sender == owner, "only the owner sets the answer");
        round += 1;
        answer = answer_;
        updatedAt = updatedAt_;
        emit AnswerUpdated(answer_, round, updatedAt_ == 0 ? block.timestamp : updatedAt_);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        uint256 at = updatedAt == 0 ? block.timestamp : updatedAt;
        return (round, answer, at, at, round);
    }
}
