import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { describeTakenPorts, freeEnvironment, freePorts, readPorts } from './ports.mjs'

describe('readPorts', () => {
  it('has a default for every part', () => {
    const numbers = Object.values(readPorts({})).map(({ number }) => number)
    expect(numbers).toEqual([
      8080, 5555, 5174, 5175, 5176, 5177, 5173, 8545, 8546, 8899, 9944, 18480, 8090, 9090,
    ])
  })

  it('reads a port from its variable', () => {
    expect(readPorts({ HAWSER_DEMO_PORT: '6000' }).demo.number).toBe(6000)
  })

  it.each(['abc', '0', '65536', '80.5'])('refuses %s, naming the variable', (value) => {
    expect(() => readPorts({ HAWSER_GATEWAY_PORT: value })).toThrow(/^HAWSER_GATEWAY_PORT=/)
  })

  it('refuses one port for two parts, naming both variables', () => {
    expect(() => readPorts({ HAWSER_DEMO_PORT: '8080' })).toThrow(
      'HAWSER_GATEWAY_PORT and HAWSER_DEMO_PORT are both 8080',
    )
  })
})

describe('describeTakenPorts', () => {
  it.each(['127.0.0.1', '::'])('names a port taken on %s and the variable that changes it', async (host) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined

    const ports = readPorts({ ...(await freeEnvironment()), HAWSER_GATEWAY_PORT: String(port) })
    expect(await describeTakenPorts(ports)).toEqual([
      `Port ${port} for the gateway is in use: stop what listens there, or choose another with HAWSER_GATEWAY_PORT.`,
    ])
    server.close()
  })
})

describe('freePorts', () => {
  it('finds a port once, before something listens there too', async () => {
    const found = (await Promise.all(Array.from({ length: 6 }, () => freePorts(60)))).flat()
    expect(new Set(found).size).toBe(360)
  })
})
