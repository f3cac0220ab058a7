// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @title Code that an account borrows (EIP-7702) to make several calls at once or not at all.
/// @notice Only the account itself may ask for it, with a transaction to its own address.
contract BatchAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    receive() external payable {}

    function execute(Call[] calldata calls) external payable {
        require(msg.sender == address(this), "only the account itself executes");
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (success) continue;
            assembly {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    /// An account that borrows code has code: without these answers nobody could safely send it an NFT any more.
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return this.onERC1155BatchReceived.selector;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x150b7a02 || id == 0x4e2312e0;
    }
}
