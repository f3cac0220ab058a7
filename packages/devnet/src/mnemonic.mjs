import { pbkdf2Sync } from 'node:crypto'

/** The mnemonic every development tool uses. Its keys are public: never fund them on a real chain. */
export const mnemonic = 'test test test test test test test test test test test junk'

/** Returns the seed of its keys (BIP-39, without a passphrase): 64 bytes. */
export const seedOf = () => pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512')
