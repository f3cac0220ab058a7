// Generated from services/convert by tools/swapContracts.mjs. DO NOT EDIT.

import type { SwapContracts } from '../../types/swapContracts.ts'

/** By CAIP-2 id. */
export const builtInContracts: Readonly<Record<string, SwapContracts>> = {
  "eip155:1": {
    "wrapped": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
    "routers": {
      "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45": "swap-router-02",
      "0xd9e1cE17f2641f24aE83637ab66a2cca9C378B9F": "v2-router",
      "0x0000000000001fF3684f28c67538d4D072C22734": "0x",
      "0x111111125421cA6dc452d289314280a0f8842A65": "1inch"
    }
  },
  "eip155:42161": {
    "wrapped": "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1",
    "routers": {
      "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45": "swap-router-02",
      "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24": "v2-router",
      "0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506": "v2-router",
      "0xA51afAFe0263b40EdaEf0Df8781eA9aa03E381a3": "universal-router",
      "0x0000000000001fF3684f28c67538d4D072C22734": "0x",
      "0x111111125421cA6dc452d289314280a0f8842A65": "1inch"
    }
  },
  "eip155:10": {
    "wrapped": "0x4200000000000000000000000000000000000006",
    "routers": {
      "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45": "swap-router-02",
      "0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2": "v2-router",
      "0x851116D9223fabED8E56C0E6b8Ad0c31d98B3507": "universal-router",
      "0x0000000000001fF3684f28c67538d4D072C22734": "0x",
      "0x111111125421cA6dc452d289314280a0f8842A65": "1inch"
    }
  },
  "eip155:324": {
    "wrapped": "0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91",
    "routers": {
      "0x99c56385daBCE3E81d8499d0b8d0257aBC07E8A3": "swap-router-02",
      "0x6fd4383cB451173D5f9304F041C7BCBf27d561fF": "1inch"
    }
  },
  "eip155:8453": {
    "wrapped": "0x4200000000000000000000000000000000000006",
    "routers": {
      "0x2626664c2603336E57B271c5C0b26F421741e481": "swap-router-02",
      "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24": "v2-router",
      "0x0000000000001fF3684f28c67538d4D072C22734": "0x",
      "0x111111125421cA6dc452d289314280a0f8842A65": "1inch"
    }
  },
  "eip155:56": {
    "wrapped": "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c",
    "routers": {
      "0x10ED43C718714eb63d5aA57B78B54704E256024E": "v2-router",
      "0x1b81D678ffb9C0263b24A97847620C99d213eB14": "v3-router",
      "0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2": "swap-router-02",
      "0x0000000000001fF3684f28c67538d4D072C22734": "0x",
      "0x111111125421cA6dc452d289314280a0f8842A65": "1inch"
    }
  },
  "eip155:137": {
    "wrapped": "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270",
    "routers": {
      "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45": "swap-router-02",
      "0xa5E0829CaCEd8fFDD4De3c43696c57F7D7A678ff": "v2-router",
      "0xf5b509bB0909a69B1c207E495f687a596C168E12": "algebra-router",
      "0x0000000000001fF3684f28c67538d4D072C22734": "0x",
      "0x111111125421cA6dc452d289314280a0f8842A65": "1inch"
    }
  },
  "eip155:100": {
    "wrapped": "0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d",
    "routers": {
      "0x1C232F01118CB8B424793ae03F870aa7D0ac7f77": "v2-router",
      "0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506": "v2-router",
      "0x111111125421cA6dc452d289314280a0f8842A65": "1inch"
    }
  },
  "eip155:43114": {
    "wrapped": "0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7",
    "routers": {
      "0x60aE616a2155Ee3d9A68541Ba4544862310933d4": "v2-router",
      "0xE54Ca86531e17Ef3616d22Ca28b0D458b6C89106": "v2-router",
      "0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE": "swap-router-02",
      "0x0000000000001fF3684f28c67538d4D072C22734": "0x",
      "0x111111125421cA6dc452d289314280a0f8842A65": "1inch"
    }
  },
  "eip155:250": {
    "wrapped": "0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83",
    "routers": {
      "0xF491e7B69E4244ad4002BC14e878a34207E38c29": "v2-router",
      "0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506": "v2-router"
    }
  },
  "eip155:8217": {
    "wrapped": "0x19Aac5f612f524B754CA7e7c41cbFa2E981A4432",
    "routers": {
      "0x8203cBc504CE43c3Cad07Be0e057f25B1d4DB578": "v2-router",
      "0xA324880f884036E3d21a09B90269E1aC57c7EC8a": "v3-router"
    }
  },
  "eip155:1313161554": {
    "wrapped": "0xC9BdeEd33CD01541e1eeD10f90519d2C06Fe3feB",
    "routers": {
      "0x2CB45Edb4517d5947aFdE3BEAbF95A582506858B": "v2-router",
      "0xa3a1eF5Ae6561572023363862e238aFA84C72ef5": "v2-router"
    }
  }
}

/** 0x's registry of Settlers, at the same address on every network. */
export const settlerRegistry = '0x00000000000004533Fe15556B1E086BB1A72cEae'
