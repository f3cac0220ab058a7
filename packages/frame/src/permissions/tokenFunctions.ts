/** What a standard function does with the tokens of its caller: it sends them, or lets another account take them. */
export type TokenEffect = 'sends' | 'approves'

/** A function that the standards of tokens define. */
export interface TokenFunction {
  /** Name and types. */
  readonly signature: string
  readonly effect: TokenEffect
}

/** The functions of ERC-20, ERC-721, ERC-1155, ERC-2612 and DAI that give tokens away, by selector. */
export const tokenFunctions: Readonly<Record<string, TokenFunction>> = {
  '0x095ea7b3': { signature: 'approve(address,uint256)', effect: 'approves' },
  '0x39509351': { signature: 'increaseAllowance(address,uint256)', effect: 'approves' },
  '0xa22cb465': { signature: 'setApprovalForAll(address,bool)', effect: 'approves' },
  '0xd505accf': {
    signature: 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    effect: 'approves',
  },
  '0x8fcbaf0c': {
    signature: 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    effect: 'approves',
  },
  '0xa9059cbb': { signature: 'transfer(address,uint256)', effect: 'sends' },
  '0x23b872dd': { signature: 'transferFrom(address,address,uint256)', effect: 'sends' },
  '0x42842e0e': { signature: 'safeTransferFrom(address,address,uint256)', effect: 'sends' },
  '0xb88d4fde': { signature: 'safeTransferFrom(address,address,uint256,bytes)', effect: 'sends' },
  '0xf242432a': { signature: 'safeTransferFrom(address,address,uint256,uint256,bytes)', effect: 'sends' },
  '0x2eb2c2d6': {
    signature: 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    effect: 'sends',
  },
}
