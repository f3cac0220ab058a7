// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @title Resolver of a zone whose names are kept by a gateway (ERC-3668, ENSIP-10).
/// @notice The gateway is trusted for nothing but the zone: what it answers counts only with the signature of a known signer, for this
/// contract, for what was asked, and until it expires.
contract OffchainResolver {
    address public owner;
    mapping(address account => bool) public isSigner;
    string[] private gateways;

    /// ERC-3668.
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error NotOwner();
    error Expired(uint64 expires);
    error WrongSignature();

    event OwnerChanged(address owner);
    event SignerChanged(address indexed signer, bool trusted);
    event UrlsChanged(string[] urls);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    constructor(address holder, string[] memory urls_, address[] memory signers) {
        owner = holder;
        gateways = urls_;
        emit OwnerChanged(holder);
        emit UrlsChanged(urls_);
        for (uint256 i = 0; i < signers.length; i++) _setSigner(signers[i], true);
    }

    function setOwner(address holder) external onlyOwner {
        owner = holder;
        emit OwnerChanged(holder);
    }

    /// Several signers may be trusted at once, so that a gateway can go over from one key to the next.
    function setSigner(address signer, bool trusted) external onlyOwner {
        _setSigner(signer, trusted);
    }

    function setUrls(string[] memory urls_) external onlyOwner {
        gateways = urls_;
        emit UrlsChanged(urls_);
    }

    /// The gateways' URL templates (ERC-3668), the first asked first.
    function urls() external view returns (string[] memory) {
        return gateways;
    }

    /// ENSIP-10. It always reverts with OffchainLookup; whoever asks goes to a gateway and comes back with its answer.
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        bytes memory request = abi.encodeCall(this.resolve, (name, data));
        revert OffchainLookup(address(this), gateways, request, this.resolveWithProof.selector, request);
    }

    /// Checks a gateway's answer, which is (bytes result, uint64 expires, bytes signature), to a request, and returns the result.
    function resolveWithProof(bytes calldata response, bytes calldata request) external view returns (bytes memory) {
        (bytes memory result, uint64 expires, bytes memory signature) = abi.decode(response, (bytes, uint64, bytes));
        if (expires < block.timestamp) revert Expired(expires);
        if (!isSigner[_recover(digest(address(this), expires, request, result), signature)]) revert WrongSignature();
        return result;
    }

    /// What is signed (ERC-191, version 0: data for one contract); `expires` is in seconds since 1970.
    function digest(address resolver, uint64 expires, bytes memory request, bytes memory result) public pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1900", resolver, expires, keccak256(request), keccak256(result)));
    }

    /// ERC-165.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == this.resolve.selector || id == this.supportsFeature.selector;
    }

    /// ERC-7996. The gateway answers several questions at once (ENSIP-22): `resolve` of a `multicall(bytes[])`.
    function supportsFeature(bytes4 feature) external pure returns (bool) {
        return feature == bytes4(keccak256("eth.ens.resolver.extended.multicall"));
    }

    function _setSigner(address signer, bool trusted) private {
        isSigner[signer] = trusted;
        emit SignerChanged(signer, trusted);
    }

    /// The account whose key made the signature. The upper half of s is refused: it is the same signature made anew by a stranger (EIP-2).
    function _recover(bytes32 hash, bytes memory signature) private pure returns (address signer) {
        if (signature.length != 65) revert WrongSignature();
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        if (uint256(s) > 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0) revert WrongSignature();
        signer = ecrecover(hash, v, r, s);
        if (signer == address(0)) revert WrongSignature();
    }
}
