export { type Client, createClient, type Transport } from '@connectrpc/connect'
export { createTransport, reload, type TransportOptions } from '../connect/transport.ts'
export { ErrorInfoSchema } from '../gen/google/rpc/error_details_pb.ts'
