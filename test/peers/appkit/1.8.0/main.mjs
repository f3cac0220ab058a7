import { createAppKit } from '@reown/appkit'
import { defineChain } from '@reown/appkit/networks'
import { EthersAdapter } from '@reown/appkit-adapter-ethers'
import { start } from '../start.mjs'

start({ createAppKit, defineChain, EthersAdapter })
