package chains

import "strings"

// methods are the methods that the door lets through, by CAIP-2 namespace and exact name. What is not here could cost a node without bound,
// needs keys that a node must not hold, or keeps state at one node, as filters do.
var methods = map[string]map[string]method{
	"eip155": merged(evmMethods, evmFamilies, kaiaMethods("kaia_"), kaiaMethods("klay_")),
	"solana": merged(
		reads("getAccountInfo getBalance getBlockHeight getBlockTime getEpochInfo getEpochSchedule getFeeForMessage getFirstAvailableBlock getGenesisHash "+
			"getHealth getHighestSnapshotSlot getIdentity getInflationGovernor getInflationRate getLatestBlockhash getMinimumBalanceForRentExemption "+
			"getRecentPrioritizationFees getSignatureStatuses getSlot getSlotLeader getStakeMinimumDelegation getTokenAccountBalance getTokenSupply "+
			"getTransactionCount getVersion isBlockhashValid minimumLedgerSlot"),
		heavyReads("getBlock getBlockCommitment getBlockProduction getBlocks getBlocksWithLimit getClusterNodes getInflationReward getLargestAccounts "+
			"getLeaderSchedule getMultipleAccounts getProgramAccounts getRecentPerformanceSamples getSignaturesForAddress getSlotLeaders getSupply "+
			"getTokenAccountsByDelegate getTokenAccountsByOwner getTokenLargestAccounts getTransaction getVoteAccounts simulateTransaction"),
		sends("sendTransaction"),
	),
	"bip122": merged(
		reads("decoderawtransaction decodescript estimatesmartfee getbestblockhash getblockchaininfo getblockcount getblockhash getblockheader getchaintips "+
			"getdifficulty getmempoolentry getmempoolinfo getnetworkinfo getrawtransaction gettxout validateaddress"),
		heavyReads("getblock getblockstats getchaintxstats gettxoutproof testmempoolaccept verifytxoutproof"),
		sends("sendrawtransaction"),
	),
	"polkadot": merged(
		reads("account_nextIndex chain_getBlockHash chain_getFinalizedHead chain_getFinalisedHead chain_getHead chain_getHeader chainSpec_v1_chainName "+
			"chainSpec_v1_genesisHash chainSpec_v1_properties grandpa_roundState state_getMetadata state_getRuntimeVersion state_getStorage "+
			"state_getStorageHash state_getStorageSize system_accountNextIndex system_chain system_chainType system_health system_name "+
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
	// TRON answers a part of Ethereum's methods; logs are left out, because their range cannot be bounded without its height.
	"tron": pick(evmMethods, "eth_blockNumber eth_call eth_chainId eth_estimateGas eth_gasPrice eth_getBalance eth_getBlockByHash eth_getBlockByNumber "+
		"eth_getBlockReceipts eth_getBlockTransactionCountByHash eth_getBlockTransactionCountByNumber eth_getCode eth_getStorageAt "+
		"eth_getTransactionByBlockHashAndIndex eth_getTransactionByBlockNumberAndIndex eth_getTransactionByHash eth_getTransactionReceipt eth_syncing "+
		"net_listening net_peerCount net_version web3_clientVersion web3_sha3"),
}

// evmMethods are those of EIP-1474 and what nodes of every EVM chain have added to it.
var evmMethods = map[string]method{
	"eth_blobBaseFee":                         {newest: true},
	"eth_blockNumber":                         {newest: true},
	"eth_call":                                {block: 2, heavy: true},
	"eth_chainId":                             {},
	"eth_createAccessList":                    {block: 2, heavy: true},
	"eth_estimateGas":                         {block: 2, heavy: true},
	"eth_feeHistory":                          {block: 2},
	"eth_gasPrice":                            {newest: true},
	"eth_getBalance":                          {block: 2},
	"eth_getBlockByHash":                      {byHash: true, shows: "hash"},
	"eth_getBlockByNumber":                    {block: 1, shows: "number"},
	"eth_getBlockReceipts":                    {block: 1, heavy: true},
	"eth_getBlockTransactionCountByHash":      {byHash: true},
	"eth_getBlockTransactionCountByNumber":    {block: 1},
	"eth_getCode":                             {block: 2},
	"eth_getLogs":                             {heavy: true},
	"eth_getProof":                            {block: 3, heavy: true},
	"eth_getStorageAt":                        {block: 3},
	"eth_getTransactionByBlockHashAndIndex":   {byHash: true, shows: "blockHash"},
	"eth_getTransactionByBlockNumberAndIndex": {block: 1, shows: "blockNumber"},
	"eth_getTransactionByHash":                {mined: true, shows: "hash"},
	"eth_getTransactionCount":                 {block: 2},
	"eth_getTransactionReceipt":               {mined: true, shows: "transactionHash"},
	"eth_getUncleByBlockHashAndIndex":         {byHash: true},
	"eth_getUncleByBlockNumberAndIndex":       {block: 1},
	"eth_getUncleCountByBlockHash":            {byHash: true},
	"eth_getUncleCountByBlockNumber":          {block: 1},
	"eth_maxPriorityFeePerGas":                {newest: true},
	"eth_protocolVersion":                     {},
	"eth_sendRawTransaction":                  {changes: true},
	"eth_simulateV1":                          {block: 2, heavy: true},
	"eth_syncing":                             {},
	"net_listening":                           {},
	"net_peerCount":                           {},
	"net_version":                             {},
	"web3_clientVersion":                      {},
	"web3_sha3":                               {},
}

// evmFamilies are what single families of EVM chains add for reading: ZKsync, Arbitrum, OP, Polygon and Linea.
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

// kaiaMethods are those of Kaia under one of its two prefixes.
func kaiaMethods(prefix string) map[string]method {
	named := map[string]method{}
	for name, m := range heavyReads("accountCreated chainID clientVersion encodeAccountKey decodeAccountKey estimateComputationCost " +
		"forkStatus gasPriceAt getAccount getAccountKey getActiveAddressFromRegistry getAllRecordsFromRegistry getBlockWithConsensusInfoByHash " +
		"getBlockWithConsensusInfoByNumber getChainConfig getCommittee getCommitteeSize getCouncil getCouncilSize getCypressCredit getParams " +
		"getRewards getStakingInfo getTotalSupply getTransactionBySenderTxHash getTransactionReceiptBySenderTxHash isContractAccount isParallelDBWrite " +
		"isSenderTxHashIndexingEnabled lowerBoundGasPrice nodeAddress recoverFromMessage recoverFromTransaction rewardbase sha3 upperBoundGasPrice") {
		named[prefix+name] = m
	}
	for name, m := range evmMethods {
		// Logs are bounded under their own name only.
		if bare, ok := strings.CutPrefix(name, "eth_"); ok && name != methodGetLogs {
			named[prefix+bare] = m
		}
	}
	return named
}

// devNamespaces move a development chain as its owner wants.
var devNamespaces = []string{"anvil_", "evm_", "hardhat_"}

func reads(names string) map[string]method { return named(names, method{}) }

func heavyReads(names string) map[string]method { return named(names, method{heavy: true}) }

func sends(names string) map[string]method { return named(names, method{changes: true, once: true}) }

func named(names string, m method) map[string]method {
	table := map[string]method{}
	for name := range strings.FieldsSeq(names) {
		table[name] = m
	}
	return table
}

func pick(from map[string]method, names string) map[string]method {
	table := map[string]method{}
	for name := range strings.FieldsSeq(names) {
		table[name] = from[name]
	}
	return table
}

func merged(tables ...map[string]method) map[string]method {
	all := map[string]method{}
	for _, table := range tables {
		for name, m := range table {
			all[name] = m
		}
	}
	return all
}
