package main

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// world is the state of the cluster from which the rules are made.
type world struct {
	policies []*networkingv1.NetworkPolicy
	pods     []*corev1.Pod
	// namespaces are the labels of each.
	namespaces map[string]labels.Set
}

// direction is one of the two in which a pod may be isolated.
type direction struct {
	kind networkingv1.PolicyType
	// chain begins the names of its chains; own is where the address of the pod is in a packet, and other where that of its peer is.
	chain, own, other string
}

var directions = []direction{
	{networkingv1.PolicyTypeEgress, "egress", "ip saddr", "ip daddr"},
	{networkingv1.PolicyTypeIngress, "ingress", "ip daddr", "ip saddr"},
}

// rules returns a script for nft that replaces the table of all policies. A pod that no policy isolates has no chain; one that is isolated has a chain
// that returns for what is allowed and drops the rest.
func (w *world) rules() (script string, err error) {
	var b strings.Builder
	b.WriteString("add table inet policies\ndelete table inet policies\ntable inet policies {\n")
	for _, d := range directions {
		var isolated []string
		for _, p := range w.running() {
			lines, isIsolated, err := w.allowed(d, p)
			if err != nil {
				return "", err
			}
			if !isIsolated {
				continue
			}
			name := d.chain + "_" + strings.ReplaceAll(p.Status.PodIP, ".", "_")
			isolated = append(isolated, p.Status.PodIP+" : jump "+name)
			fmt.Fprintf(&b, "\tchain %s { # %s/%s\n\t\t%s %s return\n", name, p.Namespace, p.Name, d.other, p.Status.PodIP)
			for _, line := range lines {
				fmt.Fprintf(&b, "\t\t%s\n", strings.Join(strings.Fields(line+" return"), " "))
			}
			b.WriteString("\t\tdrop\n\t}\n")
		}
		fmt.Fprintf(&b, "\tchain %s {\n", d.chain)
		if len(isolated) > 0 {
			fmt.Fprintf(&b, "\t\t%s vmap { %s }\n", d.own, strings.Join(isolated, ", "))
		}
		b.WriteString("\t}\n")
	}
	// Connections that were allowed when they began go on.
	b.WriteString("\tchain passing {\n\t\ttype filter hook forward priority filter; policy accept;\n\t\tct state established,related accept\n\t\tjump egress\n\t\tjump ingress\n\t}\n")
	b.WriteString("\tchain arriving {\n\t\ttype filter hook input priority filter; policy accept;\n\t\tct state established,related accept\n\t\tjump egress\n\t}\n}\n")
	return b.String(), nil
}

// running returns the pods that have an address of their own, by address.
func (w *world) running() (pods []*corev1.Pod) {
	for _, p := range w.pods {
		ended := p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
		if p.Status.PodIP != "" && !p.Spec.HostNetwork && !ended {
			pods = append(pods, p)
		}
	}
	slices.SortFunc(pods, func(a, b *corev1.Pod) int { return cmp.Compare(a.Status.PodIP, b.Status.PodIP) })
	return pods
}

// allowed returns what a packet has to match to be allowed, by any of the policies, and whether there is a policy at all. The API server has filled in
// the types of each policy.
func (w *world) allowed(d direction, p *corev1.Pod) (matches []string, isIsolated bool, err error) {
	for _, policy := range w.policies {
		if policy.Namespace != p.Namespace || !slices.Contains(policy.Spec.PolicyTypes, d.kind) {
			continue
		}
		selects, err := selected(&policy.Spec.PodSelector, p.Labels)
		if err != nil {
			return nil, false, err
		}
		if !selects {
			continue
		}
		isIsolated = true
		for _, r := range rulesOf(policy, d.kind) {
			peers, err := w.peers(d, policy.Namespace, r.peers)
			if err != nil {
				return nil, false, err
			}
			ports, err := portsOf(r.ports)
			if err != nil {
				return nil, false, fmt.Errorf("%s/%s: %w", policy.Namespace, policy.Name, err)
			}
			for _, peer := range peers {
				for _, port := range ports {
					matches = append(matches, peer+" "+port)
				}
			}
		}
	}
	slices.Sort(matches)
	return slices.Compact(matches), isIsolated, nil
}

// rule is a rule of either direction.
type rule struct {
	peers []networkingv1.NetworkPolicyPeer
	ports []networkingv1.NetworkPolicyPort
}

func rulesOf(policy *networkingv1.NetworkPolicy, kind networkingv1.PolicyType) (rules []rule) {
	if kind == networkingv1.PolicyTypeEgress {
		for _, r := range policy.Spec.Egress {
			rules = append(rules, rule{r.To, r.Ports})
		}
		return rules
	}
	for _, r := range policy.Spec.Ingress {
		rules = append(rules, rule{r.From, r.Ports})
	}
	return rules
}

// peers returns the matches for the other end of a connection, or an empty match if every peer is allowed.
func (w *world) peers(d direction, namespace string, peers []networkingv1.NetworkPolicyPeer) (matches []string, err error) {
	if len(peers) == 0 {
		return []string{""}, nil
	}
	var addresses []string
	for _, peer := range peers {
		if peer.IPBlock != nil {
			match, err := block(d, peer.IPBlock)
			if err != nil {
				return nil, err
			}
			matches = append(matches, match...)
			continue
		}
		for _, p := range w.running() {
			isPeer, err := w.isPeer(namespace, peer, p)
			if err != nil {
				return nil, err
			}
			if isPeer {
				addresses = append(addresses, p.Status.PodIP)
			}
		}
	}
	slices.Sort(addresses)
	if addresses = slices.Compact(addresses); len(addresses) > 0 {
		matches = append(matches, fmt.Sprintf("%s { %s }", d.other, strings.Join(addresses, ", ")))
	}
	return matches, nil
}

// isPeer reports whether the selectors of a peer select a pod: in the policy's own namespace where there is none for namespaces.
func (w *world) isPeer(namespace string, peer networkingv1.NetworkPolicyPeer, p *corev1.Pod) (bool, error) {
	if peer.NamespaceSelector == nil && p.Namespace != namespace {
		return false, nil
	}
	if peer.NamespaceSelector != nil {
		if of, err := selected(peer.NamespaceSelector, w.namespaces[p.Namespace]); err != nil || !of {
			return false, err
		}
	}
	if peer.PodSelector == nil {
		return true, nil
	}
	return selected(peer.PodSelector, p.Labels)
}

// block returns what matches a block of addresses. Pods have no IPv6 addresses here, so that such a block matches nothing.
func block(d direction, b *networkingv1.IPBlock) (matches []string, err error) {
	prefix, err := netip.ParsePrefix(b.CIDR)
	if err != nil {
		return nil, err
	}
	if !prefix.Addr().Is4() {
		return nil, nil
	}
	match := d.other + " " + b.CIDR
	if len(b.Except) > 0 {
		match += fmt.Sprintf(" %s != { %s }", d.other, strings.Join(b.Except, ", "))
	}
	return []string{match}, nil
}

// portsOf returns the matches for the ports, or an empty match if every port is allowed.
func portsOf(ports []networkingv1.NetworkPolicyPort) (matches []string, err error) {
	if len(ports) == 0 {
		return []string{""}, nil
	}
	for _, port := range ports {
		protocol := "tcp"
		if port.Protocol != nil {
			protocol = strings.ToLower(string(*port.Protocol))
		}
		switch {
		case port.Port == nil:
			matches = append(matches, "meta l4proto "+protocol)
		case port.Port.Type == intstr.String:
			return nil, fmt.Errorf("ports by name, as %s, are not known here", port.Port.StrVal)
		case port.EndPort != nil:
			matches = append(matches, fmt.Sprintf("%s dport %d-%d", protocol, port.Port.IntVal, *port.EndPort))
		default:
			matches = append(matches, fmt.Sprintf("%s dport %d", protocol, port.Port.IntVal))
		}
	}
	return matches, nil
}

func selected(selector *metav1.LabelSelector, set labels.Set) (bool, error) {
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return false, err
	}
	return s.Matches(set), nil
}
