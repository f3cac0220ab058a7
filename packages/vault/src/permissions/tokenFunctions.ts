/** What a standard function does with the tokens of its caller: it sends them, or lets another account take them. */
export type TokenEffect = 'sends' | 'approves'

/** A function that the standards of tokens define. */
export interface TokenFunction {
  /** Name and types. */
  readonly signature: string
  readonly effect: TokenEffect
}

/** The functions of ERC-20, ERC-721, ERC-777, ERC-1155, ERC-1363, ERC-2612, ERC-4626, DAI and Permit2 that give tokens away, by selector. */
export const tokenFunctions: Readonly<Record<string, TokenFunction>> = {
  '0x095ea7b3': { signature: 'approve(address,uint256)', effect: 'approves' },
  '0x39509351': { signature: 'increaseAllowance(address,uint256)', effect: 'approves' },
  '0xd73dd623': { signature: 'increaseApproval(address,uint256)', effect: 'approves' },
  '0x87517c45': { signature: 'approve(address,address,uint160,uint48)', effect: 'approves' },
  '0x959b8c3f': { signature: 'authorizeOperator(address)', effect: 'approves' },
  '0x3177029f': { signature: 'approveAndCall(address,uint256)', effect: 'approves' },
  '0xcae9ca51': { signature: 'approveAndCall(address,uint256,bytes)', effect: 'approves' },
  '0xa22cb465': { signature: 'setApprovalForAll(address,bool)', effect: 'approves' },
  '0xd505accf': {
    signature: 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    effect: 'approves',
  },
  '0x8fcbaf0c': {
    signature: 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    effect: 'approves',
  },
  '0x558a7297': { signature: 'setOperator(address,bool)', effect: 'approves' },
  '0x426a8493': { signature: 'approve(address,uint256,uint256)', effect: 'approves' },
  '0x110496e5': { signature: 'allow(address,bool)', effect: 'approves' },
  '0xeecea000': { signature: 'setAuthorization(address,bool)', effect: 'approves' },
  '0xc04a8a10': { signature: 'approveDelegation(address,uint256)', effect: 'approves' },
  '0xa9059cbb': { signature: 'transfer(address,uint256)', effect: 'sends' },
  '0xb753a98c': { signature: 'push(address,uint256)', effect: 'sends' },
  '0xbb35783b': { signature: 'move(address,address,uint256)', effect: 'sends' },
  '0x23b872dd': { signature: 'transferFrom(address,address,uint256)', effect: 'sends' },
  '0x36c78516': { signature: 'transferFrom(address,address,uint160,address)', effect: 'sends' },
  '0x0d58b1db': { signature: 'transferFrom((address,address,uint160,address)[])', effect: 'sends' },
  '0x1296ee62': { signature: 'transferAndCall(address,uint256)', effect: 'sends' },
  '0x4000aea0': { signature: 'transferAndCall(address,uint256,bytes)', effect: 'sends' },
  '0xd8fbe994': { signature: 'transferFromAndCall(address,address,uint256)', effect: 'sends' },
  '0xc1d34b89': { signature: 'transferFromAndCall(address,address,uint256,bytes)', effect: 'sends' },
  '0x9bd9bbc6': { signature: 'send(address,uint256,bytes)', effect: 'sends' },
  '0x62ad1b83': { signature: 'operatorSend(address,address,uint256,bytes,bytes)', effect: 'sends' },
  '0xb460af94': { signature: 'withdraw(uint256,address,address)', effect: 'sends' },
  '0xba087652': { signature: 'redeem(uint256,address,address)', effect: 'sends' },
  '0x42842e0e': { signature: 'safeTransferFrom(address,address,uint256)', effect: 'sends' },
  '0xb88d4fde': { signature: 'safeTransferFrom(address,address,uint256,bytes)', effect: 'sends' },
  '0xf242432a': { signature: 'safeTransferFrom(address,address,uint256,uint256,bytes)', effect: 'sends' },
  '0x2eb2c2d6': {
    signature: 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    effect: 'sends',
  },
}
