package rpc

import "strings"

// methods lists the allowed methods by CAIP-2 namespace and exact name. Other methods have an unbounded cost for a
// node, need keys that a node must not hold, or keep state at one node, as filters do.
var methods = map[string]map[string]Method{
	"eip155": merged(evmMethods, evmFamilies, kaiaMethods("kaia_"), kaiaMethods("klay_")),
	"solana": solanaMethods,
	"polkadot": merged(
		newest("account_nextIndex chain_getHead chain_getHeader state_getStorage state_getStorageHash state_getStorageSize system_accountNextIndex"),
		reads("chain_getBlockHash chain_getFinalizedHead chain_getFinalisedHead chainSpec_v1_chainName "+
			"chainSpec_v1_genesisHash chainSpec_v1_properties grandpa_roundState state_getMetadata state_getRuntimeVersion "+
			"system_chain system_chainType system_health system_name "+
			"system_properties system_syncState system_version rpc_methods"),
		heavyReads("chain_getBlock payment_queryFeeDetails payment_queryInfo state_call state_getKeysPaged state_getReadProof state_queryStorageAt system_dryRun"),
		sends("author_submitExtrinsic"),
	),
	"near": merged(
		reads("gas_price genesis_config health network_info status"),
		heavyReads("block changes chunk EXPERIMENTAL_changes EXPERIMENTAL_changes_in_block EXPERIMENTAL_light_client_proof EXPERIMENTAL_protocol_config "+
			"EXPERIMENTAL_receipt EXPERIMENTAL_tx_status query tx validators"),
		sends("broadcast_tx_async broadcast_tx_commit send_tx"),
	),
	"sui": merged(
		reads("sui_getChainIdentifier sui_getLatestCheckpointSequenceNumber sui_getProtocolConfig sui_getTotalTransactionBlocks suix_getBalance "+
			"suix_getCoinMetadata suix_getReferenceGasPrice suix_getTotalSupply suix_resolveNameServiceAddress suix_resolveNameServiceNames"),
		heavyReads("sui_devInspectTransactionBlock sui_dryRunTransactionBlock sui_getCheckpoint sui_getCheckpoints sui_getEvents sui_getMoveFunctionArgTypes "+
			"sui_getNormalizedMoveFunction sui_getNormalizedMoveModule sui_getNormalizedMoveModulesByPackage sui_getNormalizedMoveStruct sui_getObject "+
			"sui_getTransactionBlock sui_multiGetObjects sui_multiGetTransactionBlocks sui_tryGetPastObject suix_getAllBalances suix_getAllCoins suix_getCoins "+
			"suix_getCommitteeInfo suix_getDynamicFieldObject suix_getDynamicFields suix_getLatestSuiSystemState suix_getOwnedObjects suix_getStakes "+
			"suix_queryEvents suix_queryTransactionBlocks"),
		sends("sui_executeTransactionBlock"),
	),
	"ton": merged(
		reads("detectAddress getAddressBalance getAddressInformation getAddressState getConsensusBlock getMasterchainInfo getTokenData getWalletInformation "+
			"packAddress unpackAddress"),
		heavyReads("estimateFee getBlockHeader getBlockTransactions getConfigParam getExtendedAddressInformation getTransactions lookupBlock runGetMethod shards "+
			"tryLocateResultTx tryLocateSourceTx tryLocateTx"),
		sends("sendBoc sendBocReturnHash"),
	),
	// TRON supports some of Ethereum's methods. Logs are left out: their range cannot be bounded without the height of the chain.
	"tron": pick(evmMethods, "eth_blockNumber eth_call eth_chainId eth_estimateGas eth_gasPrice eth_getBalance eth_getBlockByHash eth_getBlockByNumber "+
		"eth_getBlockReceipts eth_getBlockTransactionCountByHash eth_getBlockTransactionCountByNumber eth_getCode eth_getStorageAt "+
		"eth_getTransactionByBlockHashAndIndex eth_getTransactionByBlockNumberAndIndex eth_getTransactionByHash eth_getTransactionReceipt eth_syncing "+
		"net_listening net_peerCount net_version web3_clientVersion web3_sha3"),
}

// evmMethods are the methods of EIP-1474 and the later ones that nodes of every EVM chain support.
var evmMethods = map[string]Method{
	"eth_blobBaseFee":                         {Newest: true},
	"eth_blockNumber":                         {Newest: true},
	"eth_call":                                {Block: 2, Heavy: true, Executes: true},
	"eth_chainId":                             {},
	"eth_createAccessList":                    {Block: 2, Heavy: true, Executes: true},
	"eth_estimateGas":                         {Block: 2, Heavy: true, Executes: true},
	"eth_feeHistory":                          {Block: 2, Large: true},
	"eth_gasPrice":                            {Newest: true},
	"eth_getBalance":                          {Block: 2},
	"eth_getBlockByHash":                      {ByHash: true, Echo: "hash", Kept: true},
	"eth_getBlockByNumber":                    {Block: 1, Echo: "number", Kept: true},
	"eth_getBlockReceipts":                    {Block: 1, Heavy: true, Kept: true},
	"eth_getBlockTransactionCountByHash":      {ByHash: true},
	"eth_getBlockTransactionCountByNumber":    {Block: 1, Kept: true},
	"eth_getCode":                             {Block: 2},
	"eth_getLogs":                             {Heavy: true, Kept: true},
	"eth_getProof":                            {Block: 3, Heavy: true},
	"eth_getStorageAt":                        {Block: 3},
	"eth_getTransactionByBlockHashAndIndex":   {ByHash: true, Echo: "blockHash", Kept: true},
	"eth_getTransactionByBlockNumberAndIndex": {Block: 1, Echo: "blockNumber", Kept: true},
	"eth_getTransactionByHash":                {Mined: true, Echo: "hash", Kept: true},
	"eth_getTransactionCount":                 {Block: 2},
	"eth_getTransactionReceipt":               {Mined: true, Echo: "transactionHash", Kept: true},
	"eth_getUncleByBlockHashAndIndex":         {ByHash: true},
	"eth_getUncleByBlockNumberAndIndex":       {Block: 1, Kept: true},
	"eth_getUncleCountByBlockHash":            {ByHash: true},
	"eth_getUncleCountByBlockNumber":          {Block: 1},
	"eth_maxPriorityFeePerGas":                {Newest: true},
	"eth_protocolVersion":                     {},
	"eth_sendRawTransaction":                  {Writes: true},
	"eth_sendRawTransactionSync":              {Writes: true},
	"eth_simulateV1":                          {Block: 2, Heavy: true, Executes: true},
	"eth_syncing":                             {},
	"net_listening":                           {},
	"net_peerCount":                           {},
	"net_version":                             {},
	"web3_clientVersion":                      {},
	"web3_sha3":                               {},
}

// evmFamilies are read methods that only some families of EVM chains have: ZKsync, Arbitrum, OP, Polygon and Linea.
var evmFamilies = heavyReads("zks_L1BatchNumber zks_L1ChainId zks_estimateFee zks_estimateGasL1ToL2 zks_getAllAccountBalances zks_getBaseTokenL1Address " +
	"zks_getBlockDetails zks_getBridgeContracts zks_getBridgehubContract zks_getBytecodeByHash zks_getConfirmedTokens zks_getFeeParams " +
	"zks_getL1BatchBlockRange zks_getL1BatchDetails zks_getL1GasPrice zks_getL2Multicall3 zks_getL2ToL1LogProof zks_getL2ToL1MsgProof " +
	"zks_getMainContract zks_getProof zks_getProtocolVersion zks_getRawBlockTransactions zks_getTestnetPaymaster zks_getTimestampAsserter " +
	"zks_getTransactionDetails " +
	"arb_checkPublisherHealth arb_getRawBlockMetadata arb_latestValidated arb_maintenanceStatus " +
	"optimism_outputAtBlock optimism_rollupConfig optimism_safeHeadAtL1Block optimism_syncStatus optimism_version rollup_gasPrices rollup_getInfo " +
	"bor_getAuthor bor_getCurrentProposer bor_getCurrentValidators bor_getRootHash bor_getSigners bor_getSignersAtHash bor_getSnapshot " +
	"bor_getSnapshotAtHash " +
	"linea_estimateGas linea_getProof linea_getTransactionExclusionStatusV1")

// kaiaMethods returns the methods of Kaia under one of its two prefixes.
func kaiaMethods(prefix string) map[string]Method {
	named := map[string]Method{}
	for name, m := range heavyReads("accountCreated chainID clientVersion encodeAccountKey decodeAccountKey estimateComputationCost " +
		"forkStatus gasPriceAt getAccount getAccountKey getActiveAddressFromRegistry getAllRecordsFromRegistry getBlockWithConsensusInfoByHash " +
		"getBlockWithConsensusInfoByNumber getChainConfig getCommittee getCommitteeSize getCouncil getCouncilSize getCypressCredit getParams " +
		"getRewards getStakingInfo getTotalSupply getTransactionBySenderTxHash getTransactionReceiptBySenderTxHash isContractAccount isParallelDBWrite " +
		"isSenderTxHashIndexingEnabled lowerBoundGasPrice nodeAddress recoverFromMessage recoverFromTransaction rewardbase sha3 upperBoundGasPrice") {
		named[prefix+name] = m
	}
	for name, m := range evmMethods {
		// Log ranges are bounded for eth_getLogs only, and only eth_sendRawTransactionSync is answered here.
		if bare, ok := strings.CutPrefix(name, "eth_"); ok && name != MethodGetLogs && name != MethodSendSync {
			named[prefix+bare] = m
		}
	}
	return named
}

// solanaMethods are the HTTP methods of Solana's nodes, except requestAirdrop.
var solanaMethods = merged(
	reads("getBlockTime getEpochSchedule getFirstAvailableBlock getGenesisHash getHealth getHighestSnapshotSlot getIdentity getInflationGovernor "+
		"getInflationRate getMinimumBalanceForRentExemption getStakeMinimumDelegation getVersion minimumLedgerSlot"),
	newest("getBalance getBlockHeight getEpochInfo getFeeForMessage getLatestBlockhash getRecentPrioritizationFees getSignatureStatuses getSlot "+
		"getSlotLeader getTokenAccountBalance getTokenSupply getTransactionCount isBlockhashValid"),
	heavyReads("getBlockCommitment getBlockProduction getBlocks getBlocksWithLimit getClusterNodes getInflationReward getLargestAccounts "+
		"getLeaderSchedule getRecentPerformanceSamples getSlotLeaders getSupply getVoteAccounts"),
	named("getMultipleAccounts getProgramAccounts getSignaturesForAddress getTokenAccountsByDelegate getTokenAccountsByOwner getTokenLargestAccounts",
		Method{Heavy: true, Newest: true}),
	named("getAccountInfo", Method{Newest: true, Large: true}),
	named("simulateTransaction", Method{Heavy: true, Newest: true, Executes: true}),
	// Nodes differ in what they have: a node may lack a transaction that is seconds old, or a block of last year.
	named("getBlock getTransaction", Method{Heavy: true, Mined: true}),
	named("sendTransaction", Method{Writes: true, Once: true, Newest: true}),
)

// known are the names of all methods of callers, and of those by which this process traces blocks.
var known = func() map[string]bool {
	names := map[string]bool{"trace_block": true, "debug_traceBlockByHash": true}
	for _, table := range methods {
		for name := range table {
			names[name] = true
		}
	}
	return names
}()

// IsKnown reports whether a method is one of a fixed list, so that it may be a label of metrics.
func IsKnown(method string) bool { return known[method] }

// devNamespaces are the prefixes of methods that control a development chain, by CAIP-2 namespace.
var devNamespaces = map[string][]string{"eip155": {"anvil_", "evm_", "hardhat_"}, "solana": {"devnet_", "requestAirdrop"}}

func reads(names string) map[string]Method { return named(names, Method{}) }

func newest(names string) map[string]Method { return named(names, Method{Newest: true}) }

func heavyReads(names string) map[string]Method { return named(names, Method{Heavy: true}) }

func sends(names string) map[string]Method { return named(names, Method{Writes: true, Once: true}) }

func named(names string, m Method) map[string]Method {
	table := map[string]Method{}
	for name := range strings.FieldsSeq(names) {
		table[name] = m
	}
	return table
}

func pick(from map[string]Method, names string) map[string]Method {
	table := map[string]Method{}
	for name := range strings.FieldsSeq(names) {
		table[name] = from[name]
	}
	return table
}

func merged(tables ...map[string]Method) map[string]Method {
	all := map[string]Method{}
	for _, table := range tables {
		for name, m := range table {
			all[name] = m
		}
	}
	return all
}
