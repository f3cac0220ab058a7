import { expect, it } from 'vitest'
import { frameOriginOf, gatewayUrlOf } from './siteUrls.ts'

it.each([
  ['https://wallet.example.net', ':5174', 'https://wallet.example.net'],
  ['', ':5174', 'http://wallet.localhost:5174'],
  ['', '127.0.0.1:15174', 'http://wallet.localhost:15174'],
  ['', '[::1]:15174', 'http://wallet.localhost:15174'],
  ['', '', ''],
  ['https://wallet.example.net', '', ''],
])('the wallet with the origin %j and the listener %j is at %j', (origin, listen, expected) => {
  expect(frameOriginOf(origin, listen)).toBe(expected)
})

it.each([
  ['https://wallet.example.com', ':8080', 'https://wallet.example.com'],
  ['', ':18080', 'http://localhost:18080'],
  ['', '', ''],
])('the gateway with the URL %j and the listener %j is at %j', (publicUrl, listen, expected) => {
  expect(gatewayUrlOf(publicUrl, listen)).toBe(expected)
})
