export { AuthError, type AuthSession } from '../authClient.ts'
export { MessageError, parseMessage, type SignInMessage } from '../message.ts'
export { type NodeRequest, type NodeResponse, nodeHeaders, toNodeHandler } from '../server/nodeHandler.ts'
export { createSignInServer, type SignInServer, type SignInServerOptions } from '../server/signInServer.ts'
