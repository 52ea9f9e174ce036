#!/usr/bin/python3
"""Writes karate_club.csv beside this script: Zachary's karate club as Debian's python3-networkx 2.8.8 holds it
(nx.karate_club_graph(); BSD-3), that is Zachary (1977), Figs. 1 and 3 and Table 3. Rows: edge,source,target,weight and
node,number,club,."""
import os

import networkx as nx

club = nx.karate_club_graph()
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "karate_club.csv"), "w") as file:
    file.write("kind,first,second,weight\n")
    for source, target, weight in club.edges(data="weight"):
        file.write(f"edge,{source},{target},{weight}\n")
    for node in club:
        file.write(f"node,{node},{club.nodes[node]['club']},\n")
