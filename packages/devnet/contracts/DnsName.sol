// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @title Names as DNS writes them: each label after its length, and a zero at the end.
library DnsName {
    error DNSDecodingFailed(bytes dns);
    error DNSEncodingFailed(string ens);

    /// The node of the name that begins at `offset` (ERC-137).
    function hash(bytes memory name, uint256 offset) internal pure returns (bytes32) {
        if (offset >= name.length) revert DNSDecodingFailed(name);
        uint256 length = uint8(name[offset]);
        if (length == 0) return 0;
        if (offset + 1 + length >= name.length) revert DNSDecodingFailed(name);
        bytes32 label;
        assembly {
            label := keccak256(add(add(name, 0x21), offset), length)
        }
        return keccak256(abi.encodePacked(hash(name, offset + 1 + length), label));
    }

    function encode(string memory name) internal pure returns (bytes memory dns) {
        bytes memory text = bytes(name);
        dns = new bytes(text.length + 2);
        uint256 length;
        for (uint256 i = text.length; i > 0; i--) {
            if (text[i - 1] != ".") {
                dns[i] = text[i - 1];
                length++;
                continue;
            }
            dns[i] = _lengthByte(length, name);
            length = 0;
        }
        dns[0] = _lengthByte(length, name);
    }

    /// The name below which an account's own name is kept (ENSIP-19).
    function ofAccount(bytes memory account, uint256 coinType) internal pure returns (string memory) {
        string memory zone = coinType == 60 ? "addr" : coinType == 1 << 31 ? "default" : _hexNumber(coinType);
        return string.concat(_hex(account), ".", zone, ".reverse");
    }

    function _lengthByte(uint256 length, string memory name) private pure returns (bytes1) {
        if (length == 0 || length > 255) revert DNSEncodingFailed(name);
        return bytes1(uint8(length));
    }

    function _hexNumber(uint256 n) private pure returns (string memory) {
        uint256 digits = 1;
        while (digits < 64 && n >> (4 * digits) != 0) digits++;
        bytes memory text = new bytes(digits);
        for (uint256 i = digits; i > 0; i--) {
            text[i - 1] = _digit(n & 15);
            n >>= 4;
        }
        return string(text);
    }

    function _hex(bytes memory b) private pure returns (string memory) {
        bytes memory text = new bytes(2 * b.length);
        for (uint256 i = 0; i < b.length; i++) {
            text[2 * i] = _digit(uint8(b[i]) >> 4);
            text[2 * i + 1] = _digit(uint8(b[i]) & 15);
        }
        return string(text);
    }

    function _digit(uint256 n) private pure returns (bytes1) {
        return bytes("0123456789abcdef")[n];
    }
}
