/** The mnemonic every development tool uses. Its keys are public: never fund them on a real chain. */
export const mnemonic = 'test test test test test test test test test test test junk'
