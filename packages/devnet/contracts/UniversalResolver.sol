// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {DnsName} from "./DnsName.sol";

interface IRegistry {
    function resolver(bytes32 node) external view returns (address);
}

interface IExtendedResolver {
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory);
}

interface IRecords {
    function addr(bytes32 node) external view returns (address);
    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory);
    function name(bytes32 node) external view returns (string memory);
}

/// What a gateway of several look-ups is asked.
interface IBatchGateway {
    struct Request {
        address sender;
        string[] urls;
        bytes data;
    }

    function query(Request[] calldata requests) external view returns (bool[] memory failures, bytes[] memory responses);
}

/// @title The one contract that a client asks: it finds a name's resolver, asks it, on the chain or off it, and does so backwards too.
/// @notice Names are DNS-encoded (ENSIP-10); names of accounts are as in ENSIP-19.
contract UniversalResolver {
    uint256 private constant ETHER = 60;
    /// Where every client is its own batch gateway.
    string private constant LOCAL_GATEWAY = "x-batch-gateway:true";

    IRegistry public immutable registry;

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error ResolverNotFound(bytes name);
    error ResolverNotContract(bytes name, address resolver);
    error UnsupportedResolverProfile(bytes4 selector);
    error ResolverError(bytes errorData);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);
    error HttpError(uint16 status, string message);
    error InvalidBatchGatewayResponse();
    error EmptyAddress();

    /// A question to a resolver, and where its answer goes.
    struct Question {
        address resolver;
        /// The resolver wraps what it answers, since it was asked through `resolve` (ENSIP-10).
        bool extended;
        bytes4 selector;
        string[] gateways;
        bytes4 next;
        /// What the function at `next` needs to know beside the answer.
        bytes carry;
    }

    /// What is known about an account while its name is looked up and verified.
    struct Account {
        bytes encoded;
        uint256 coinType;
        string primary;
        address reverseResolver;
    }

    constructor(IRegistry registry_) {
        registry = registry_;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory, address) {
        return resolveWithGateways(name, data, _localGateway());
    }

    /// Asks a name's resolver for a record. `data` is the call that reads it, such as `addr(bytes32)`; the answer is what it returns.
    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] memory gateways)
        public
        view
        returns (bytes memory result, address resolver)
    {
        Question memory q;
        q.gateways = gateways;
        q.next = this.resolveCallback.selector;
        result = _ask(q, name, data);
        return (result, q.resolver);
    }

    function resolveCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (bytes memory result, address resolver)
    {
        Question memory q;
        (q, result) = _goOn(response, extraData);
        return (result, q.resolver);
    }

    function reverse(bytes calldata account, uint256 coinType) external view returns (string memory, address, address) {
        return reverseWithGateways(account, coinType, _localGateway());
    }

    /// Finds an account's primary name, and makes sure that it leads back to the account. The name is empty when there is none.
    function reverseWithGateways(bytes calldata account, uint256 coinType, string[] memory gateways)
        public
        view
        returns (string memory, address, address)
    {
        if (account.length == 0) revert EmptyAddress();
        bytes memory name = DnsName.encode(DnsName.ofAccount(account, coinType));
        Question memory q;
        q.gateways = gateways;
        q.next = this.reverseNameCallback.selector;
        q.carry = abi.encode(Account(account, coinType, "", address(0)));
        bytes memory result = _ask(q, name, abi.encodeCall(IRecords.name, (DnsName.hash(name, 0))));
        return _verify(q, result);
    }

    function reverseNameCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (string memory, address, address)
    {
        (Question memory q, bytes memory result) = _goOn(response, extraData);
        return _verify(q, result);
    }

    function reverseAddressCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (string memory, address, address)
    {
        (Question memory q, bytes memory result) = _goOn(response, extraData);
        return _compare(q, result);
    }

    /// The resolver of a name or of the closest name above it (ENSIP-10); `offset` is where the latter begins.
    function findResolver(bytes memory name) public view returns (address resolver, bytes32 node, uint256 offset) {
        node = DnsName.hash(name, 0);
        while (offset < name.length && name[offset] != 0) {
            resolver = registry.resolver(DnsName.hash(name, offset));
            if (resolver != address(0)) return (resolver, node, offset);
            offset += 1 + uint8(name[offset]);
        }
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7;
    }

    /// Where the name that an account says it has leads.
    function _verify(Question memory before, bytes memory result) private view returns (string memory, address, address) {
        Account memory account = abi.decode(before.carry, (Account));
        account.primary = abi.decode(result, (string));
        account.reverseResolver = before.resolver;
        if (bytes(account.primary).length == 0) return ("", address(0), before.resolver);

        bytes memory name = DnsName.encode(account.primary);
        bytes32 node = DnsName.hash(name, 0);
        Question memory q;
        q.gateways = before.gateways;
        q.next = this.reverseAddressCallback.selector;
        q.carry = abi.encode(account);
        bytes memory data = account.coinType == ETHER
            ? abi.encodeWithSignature("addr(bytes32)", node)
            : abi.encodeWithSignature("addr(bytes32,uint256)", node, account.coinType);
        return _compare(q, _ask(q, name, data));
    }

    function _compare(Question memory q, bytes memory result) private pure returns (string memory, address, address) {
        Account memory account = abi.decode(q.carry, (Account));
        bytes memory leadsTo = account.coinType == ETHER
            ? abi.encodePacked(abi.decode(result, (address)))
            : abi.decode(result, (bytes));
        if (keccak256(leadsTo) != keccak256(account.encoded)) revert ReverseAddressMismatch(account.primary, leadsTo);
        return (account.primary, q.resolver, account.reverseResolver);
    }

    function _ask(Question memory q, bytes memory name, bytes memory data) private view returns (bytes memory) {
        uint256 offset;
        (q.resolver,, offset) = findResolver(name);
        if (q.resolver == address(0)) revert ResolverNotFound(name);
        if (q.resolver.code.length == 0) revert ResolverNotContract(name, q.resolver);
        q.extended = _isExtended(q.resolver);
        // A resolver of a name above answers for this one only if it says so.
        if (!q.extended && offset > 0) revert ResolverNotFound(name);
        q.selector = bytes4(data);
        return _call(q, q.extended ? abi.encodeCall(IExtendedResolver.resolve, (name, data)) : data);
    }

    /// Brings a resolver what its gateways answered.
    function _goOn(bytes calldata response, bytes calldata extraData) private view returns (Question memory q, bytes memory result) {
        bytes4 callback;
        bytes memory extra;
        (q, callback, extra) = abi.decode(extraData, (Question, bytes4, bytes));
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        if (failures.length != 1 || responses.length != 1) revert InvalidBatchGatewayResponse();
        if (failures[0]) _fail(responses[0]);
        result = _call(q, abi.encodeWithSelector(callback, responses[0], extra));
    }

    /// Calls a resolver; where that wants a look-up off the chain, this contract wants it in its place.
    function _call(Question memory q, bytes memory data) private view returns (bytes memory answer) {
        bool success;
        (success, answer) = q.resolver.staticcall(data);
        if (!success) {
            if (bytes4(answer) == OffchainLookup.selector) _lookUp(q, answer);
            _fail(answer);
        }
        if (q.extended && answer.length > 0) answer = abi.decode(answer, (bytes));
        if (answer.length == 0) revert UnsupportedResolverProfile(q.selector);
    }

    function _lookUp(Question memory q, bytes memory wish) private view {
        (address sender, string[] memory urls, bytes memory data, bytes4 callback, bytes memory extra) =
            abi.decode(_withoutSelector(wish), (address, string[], bytes, bytes4, bytes));
        if (sender != q.resolver) _fail(wish);
        IBatchGateway.Request[] memory requests = new IBatchGateway.Request[](1);
        requests[0] = IBatchGateway.Request(sender, urls, data);
        revert OffchainLookup(
            address(this), q.gateways, abi.encodeCall(IBatchGateway.query, (requests)), q.next, abi.encode(q, callback, extra)
        );
    }

    /// Failures of HTTP are told as they came, all others as the resolver's.
    function _fail(bytes memory why) private pure {
        if (bytes4(why) != HttpError.selector) revert ResolverError(why);
        assembly {
            revert(add(why, 0x20), mload(why))
        }
    }

    function _isExtended(address resolver) private view returns (bool) {
        (bool success, bytes memory answer) =
            resolver.staticcall{gas: 30_000}(abi.encodeWithSelector(0x01ffc9a7, IExtendedResolver.resolve.selector));
        return success && answer.length == 32 && abi.decode(answer, (uint256)) == 1;
    }

    function _withoutSelector(bytes memory data) private pure returns (bytes memory rest) {
        rest = new bytes(data.length - 4);
        for (uint256 i = 0; i < rest.length; i++) rest[i] = data[i + 4];
    }

    function _localGateway() private pure returns (string[] memory gateways) {
        gateways = new string[](1);
        gateways[0] = LOCAL_GATEWAY;
    }
}
