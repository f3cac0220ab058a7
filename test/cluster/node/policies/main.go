// Command policies enforces the NetworkPolicies of a cluster of one node by nftables rules, which it writes again whenever a policy, a pod or a namespace
// changes. What the node sends to its pods is always allowed, as in Kubernetes.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// quiet is how long changes are collected before the rules are written.
const quiet = 50 * time.Millisecond

func main() {
	kubeconfig := flag.String("kubeconfig", "", "file that leads to the API server")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := hold(ctx, *kubeconfig); err != nil {
		log.Fatal(err)
	}
}

// hold keeps the rules current until ctx ends, or until they cannot be written.
func hold(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	policies, pods, namespaces := factory.Networking().V1().NetworkPolicies(), factory.Core().V1().Pods(), factory.Core().V1().Namespaces()
	changed := make(chan struct{}, 1)
	note := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { note() }, UpdateFunc: func(any, any) { note() }, DeleteFunc: func(any) { note() },
	}
	for _, informer := range []cache.SharedIndexInformer{policies.Informer(), pods.Informer(), namespaces.Informer()} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			return err
		}
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	note()
	written := ""
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
		time.Sleep(quiet)
		var w world
		if w.policies, err = policies.Lister().List(labels.Everything()); err != nil {
			return err
		}
		if w.pods, err = pods.Lister().List(labels.Everything()); err != nil {
			return err
		}
		if w.namespaces, err = labelsOf(namespaces.Lister().List(labels.Everything())); err != nil {
			return err
		}
		rules, err := w.rules()
		if err != nil {
			return err
		}
		if rules == written {
			continue
		}
		if err := write(ctx, rules); err != nil {
			return err
		}
		written = rules
		log.Printf("%d policies for %d pods", len(w.policies), len(w.pods))
	}
}

func labelsOf(namespaces []*corev1.Namespace, err error) (map[string]labels.Set, error) {
	all := map[string]labels.Set{}
	for _, namespace := range namespaces {
		all[namespace.Name] = namespace.Labels
	}
	return all, err
}

// write replaces the rules, all at once.
func write(ctx context.Context, rules string) error {
	cmd := exec.CommandContext(ctx, "nft", "-f", "-")
	cmd.Stdin = strings.NewReader(rules)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("nft: %w\n%s\n%s", err, out, rules)
	}
	return nil
}
