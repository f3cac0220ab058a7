import { expect, it } from 'vitest'
import * as bitcoin from './bitcoin.ts'
import * as bundler from './bundler.ts'
import * as connect from './connect.ts'
import * as convert from './convert.ts'
import * as client from './index.ts'
import * as names from './names.ts'
import * as onramp from './onramp.ts'
import * as preview from './preview.ts'
import * as sessions from './sessions.ts'
import * as updates from './updates.ts'
import * as wallet from './wallet.ts'

it('is the public surface of the package', () => {
  expect(Object.keys(client).sort()).toEqual([
    'GatewayError',
    'InvalidResponseError',
    'NetworkError',
    'RpcError',
    'TimeoutError',
    'createGateway',
    'messageData',
    'plainText',
  ])
})

it('the Connect runtime is an entry of its own', () => {
  expect(Object.keys(connect).sort()).toEqual([
    'ErrorInfoSchema',
    'createClient',
    'createTransport',
    'reload',
  ])
})

it.each([
  [bitcoin, ['BitcoinService']],
  [bundler, ['CallsService']],
  [convert, ['ConvertService', 'QuoteSchema', 'QuoteService']],
  [names, ['NamesService']],
  [onramp, ['OnrampService']],
  [
    preview,
    [
      'AssetKind',
      'Cause',
      'Outcome',
      'Phrase',
      'PreviewService',
      'Severity',
      'StatementKind',
      'ValueKind',
      'WarningKind',
    ],
  ],
  [sessions, ['SessionState', 'SmartSessionsService']],
  [updates, ['UpdatesService']],
  [
    wallet,
    [
      'AccountType',
      'DeviceState',
      'EmailAction',
      'EmailChangeAction',
      'FactorKind',
      'LoginService',
      'SessionService',
      'WalletService',
    ],
  ],
])('a service is an entry of its own', (entry, exported) => {
  expect(Object.keys(entry).sort()).toEqual(exported)
})
