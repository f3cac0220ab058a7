export const DOLLAR_ADDRESS = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

export const ETHER_ID = 'eip155:31337:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
