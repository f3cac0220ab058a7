import './preview.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PreviewPage } from './PreviewPage.tsx'

const container = document.getElementById('root')
if (!container) throw new Error('The page has no root element')
createRoot(container).render(
  <StrictMode>
    <PreviewPage />
  </StrictMode>,
)
