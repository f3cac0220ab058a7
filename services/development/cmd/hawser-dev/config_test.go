package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/development/identity"
	"github.com/hawser-dev/hawser/services/platform/config"
)

const deploy = "../../../../deploy/"

func TestEverySettingIsDocumented(t *testing.T) {
	c := defaultConfig()
	if keys := config.Undocumented(&c); len(keys) > 0 {
		t.Errorf("without a doc: %v", keys)
	}
}

func TestFaultsNameTheirSettings(t *testing.T) {
	for setting, value := range map[string]string{
		"data_dir": "", "public_url": "localhost:5175", "suite.gateway": "", "suite.frame": "ftp://wallet.example.org", "sandbox.treasury": "key",
	} {
		_, err := load([]string{"-" + setting, value})
		faults, ok := config.IsFaults(err)
		if !ok || len(faults) != 1 || faults[0].Key != setting {
			t.Errorf("%s: %v", setting, err)
		}
	}
	if _, err := load([]string{"now"}); err == nil {
		t.Error("an argument is accepted")
	}
}

func TestTheConfigurationOfMakeUpIsSound(t *testing.T) {
	t.Setenv(prefix+"CONFIG", deploy+"dev-servers.yaml")
	t.Setenv("HAWSER_LISTEN_GRPC", "127.0.0.1:1") // a setting of the suite
	c, err := load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Sandbox.Enabled() || !c.Chains.Dev || c.Listen != defaultConfig().Listen {
		t.Errorf("%+v", c.Listen)
	}
}

// The suite of `make up` has the addresses, the credentials and the network of these servers.
func TestTheSuiteOfMakeUpFindsTheServers(t *testing.T) {
	raw, err := os.ReadFile(deploy + "dev.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Onramp struct{ Sellers string }
		Wallet struct {
			Mail             struct{ Host, Port, TLS string }
			FarcasterRelay   string `yaml:"farcaster_relay"`
			FarcasterNetwork string `yaml:"farcaster_network"`
			Social           map[string]struct {
				ID           string `yaml:"client_id"`
				Secret       string `yaml:"client_secret"`
				Address, Key string
			}
		}
	}
	if err := yaml.Unmarshal(raw, &suite); err != nil {
		t.Fatal(err)
	}
	c, w := defaultConfig(), suite.Wallet
	base := "http://" + strings.Replace(c.Listen.HTTP, "127.0.0.1", "localhost", 1)
	if suite.Onramp.Sellers != c.Listen.GRPC || w.Mail.Host+":"+w.Mail.Port != c.Listen.SMTP || w.FarcasterRelay != base+"/farcaster" || w.FarcasterNetwork != c.Farcaster.Network {
		t.Errorf("%+v", suite)
	}
	for _, name := range identity.Names {
		of := w.Social[name]
		isClient := of.Secret == identity.ClientSecret
		if name == "apple" {
			isClient = of.Key == identity.AppleKey
		}
		if !isClient || of.ID != identity.ClientID || of.Address != base+identity.Path+name {
			t.Errorf("%s: %+v", name, of)
		}
	}
	if len(w.Social) != len(slices.Compact(slices.Sorted(slices.Values(identity.Names)))) {
		t.Errorf("%d providers", len(w.Social))
	}
}
