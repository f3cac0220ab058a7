import { address } from '@solana/kit'

export const systemProgram = address('11111111111111111111111111111111')
export const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const token2022Program = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
export const associatedTokenProgram = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
export const computeBudgetProgram = address('ComputeBudget111111111111111111111111111111')
export const metadataProgram = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')

/** The mint of wrapped SOL. */
export const wrappedMint = address('So11111111111111111111111111111111111111112')

/** Both token programs. */
export const tokenPrograms = [tokenProgram, token2022Program]

/** The registries of names: the SPL Name Service with what belongs to it, and the Solana Record Service. */
export const nameProgram = address('namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX')
export const nameTokenizerProgram = address('nftD3vbNkNqfj2Sd3HZwbpw4BxxKWr4AjGb9X38JeZk')
export const nameOffersProgram = address('85iDfUvr3HJyLM2zcq5BXSiDvUWfw6cSE1FfNBo8Ap29')
export const recordServiceProgram = address('srsWjm76StJucL7atFyPSdXFaVLNPFqEt1uFEDPrZsn')
export const solRegistrarProgram = address('soL7856gZrjQMSJMT33YDpfAuRYbetAbkZPuv7YeLht')
