package call

import (
	"regexp"
	"slices"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
)

// browser is a browser that the wallet's pages name, with its major version.
var browser = regexp.MustCompile(`^(Edge|Opera|Samsung Internet|Firefox|Chrome|Safari) \d{1,4}$`)

// systems are the operating systems that the wallet's pages name.
var systems = []string{"Android", "iOS", "Windows", "macOS", "ChromeOS", "Linux"}

// The names of what is not known, which pages translate.
const unknownBrowser, unknownSystem = "Unknown browser", "Unknown system"

// Describe returns the names of a browser and its system for mails and pages. Any other text could be a message of the
// caller to the reader of a mail.
func Describe(d *walletv1.Device) (browserName, system string) {
	browserName, system = d.GetBrowser(), d.GetSystem()
	if !browser.MatchString(browserName) {
		browserName = unknownBrowser
	}
	if !slices.Contains(systems, system) {
		system = unknownSystem
	}
	return browserName, system
}
