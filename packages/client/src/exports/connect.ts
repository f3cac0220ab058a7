export { type ConnectClients, type ConnectClientsOptions, createClients } from '../connect/clients.ts'
export type { Balance, Fungible, Quantity } from '../gen/hawser/balances/v1/balances_pb.ts'
export type { Network } from '../gen/hawser/chains/v1/chains_pb.ts'
