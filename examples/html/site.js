import { injected, startHawser, walletConnect } from './hawser/hawser.js'
import { networks } from './networks.js'

const hawser = startHawser({
  baseUrl: 'http://localhost:8080', // your gateway
  projectId: '00000000000000000000000000000001', // printed by `hawser project create`
  networks,
  connectors: [injected(), walletConnect()],
})

const sign = document.querySelector('#sign')

hawser.subscribe(({ account, network }) => {
  const { address } = account
  document.querySelector('#account').textContent = address ? `${address} on ${network.name}` : 'Not connected'
  sign.hidden = !address
})

sign.addEventListener('click', async () => {
  const { address } = hawser.account
  const signature = await hawser
    .provider()
    .request({ method: 'personal_sign', params: ['0x48656c6c6f', address] })
  document.querySelector('output').textContent = signature
})
